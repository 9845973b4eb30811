import type { ComparisonAnswer } from '@brightpane/contract/review';
import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';

/**
 * `reconcile`: compares our books with the provider's and prints the differences. Changes nothing, and fails unless
 * everything was seen and agrees.
 */
export const reconcile: Command = async (client, parameters, print) => {
  readParameters({ args: parameters, options: {} });
  const answer = await client.call<ComparisonAnswer>('reconcile', { json: {} });
  const { compared, isComplete, differences } = answer;
  print(`Charges compared: ${compared}. Differences: ${differences.length}.`);
  for (const each of differences) print(lineOf(each));
  const faults = [
    ...(differences.length > 0 ? ['The books differ.'] : []),
    ...(isComplete
      ? []
      : ['Not all of it could be read from the provider now. The portal goes on with the rest by itself.']),
  ];
  if (faults.length > 0) throw new CliFailure(faults.join(' '));
};

function lineOf({ kind, amount, orderId, reference }: ComparisonAnswer['differences'][number]): string {
  const what = kind.replaceAll('-', ' ');
  return `${what}: $${amount}, order ${orderId || 'none'}, reference ${reference || 'none'}`;
}
