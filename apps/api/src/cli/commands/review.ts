import type { Command } from '../command.ts';
import { printFacts } from '../print-facts.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

const DECISIONS = ['release', 'close', 'reverse'];

/** `review`: lists the charges that need a person; `review release|close|reverse CHARGE` decides one. */
export const review: Command = async (client, parameters, print) => {
  const { positionals } = readParameters({ args: parameters, allowPositionals: true, options: {} });
  const [decision, chargeId, ...more] = positionals;
  if (decision === undefined) {
    const charges = await client.call<unknown[]>('review');
    if (charges.length === 0) print('No charge needs a person.');
    else printFacts(charges, print);
    return;
  }
  if (!DECISIONS.includes(decision) || chargeId === undefined || more.length > 0) {
    throw new WrongWords(`Say review, or review ${DECISIONS.join('|')} CHARGE.`);
  }
  const answer = await client.call('decide', { params: { chargeId, decision }, json: {} });
  print(`Charge ${chargeId}: ${decision} is done.`);
  if (answer !== undefined) printFacts(answer, print);
};
