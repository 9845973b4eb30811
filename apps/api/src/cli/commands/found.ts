import type { Command } from '../command.ts';
import { printFacts } from '../print-facts.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

/** `settle` is an earlier version's word, kept for existing scripts and habits. */
const DECISIONS = ['acknowledge', 'settle'];

/** `found`: lists payments that only the provider has; `found acknowledge ORDER` marks one as dealt with. */
export const found: Command = async (client, parameters, print) => {
  const { positionals } = readParameters({ args: parameters, allowPositionals: true, options: {} });
  const [decision, orderId, ...more] = positionals;
  if (decision === undefined) {
    const payments = await client.call<unknown[]>('foundPayments');
    if (payments.length === 0) print('Our books have every payment that was compared.');
    else printFacts(payments, print);
    return;
  }
  if (!DECISIONS.includes(decision) || orderId === undefined || more.length > 0) {
    throw new WrongWords('Say found, or found acknowledge ORDER.');
  }
  await client.call('acknowledgeFoundPayment', { params: { orderId }, json: {} });
  print(`Order ${orderId} is acknowledged. Its work orders can be paid again.`);
};
