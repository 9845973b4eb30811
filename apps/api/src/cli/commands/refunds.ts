import type { RefundList } from '@brightpane/contract/office/refunds';
import type { Command } from '../command.ts';
import { printFacts } from '../print-facts.ts';
import { readParameters } from '../read-parameters.ts';

/** `refunds`: lists the refunds that need a person. Read-only, as deciding needs a signed-in person. */
export const refunds: Command = async (client, parameters, print) => {
  readParameters({ args: parameters, options: {} });
  let count = 0;
  let cursor: string | null | undefined;
  do {
    const query = { needs: 'person', ...(cursor && { cursor }) };
    const { items, next } = await client.call<RefundList>('refunds', { query });
    for (const { refundId, paymentId, amount, words, reason, requestedBy, requestedAt } of items) {
      if (count++ > 0) print('');
      printFacts({ refundId, paymentId, amount, words, reason, requestedBy, requestedAt }, print);
    }
    cursor = next;
  } while (cursor);
  if (count === 0) print('No refund needs a person.');
};
