import type { OfficeInvoice } from '@brightpane/contract/office/invoices';

type Paid = Pick<OfficeInvoice, 'franchiseId' | 'workOrderNumber' | 'refunds'>;

const ENDED = ['made', 'refused', 'not-made', 'withdrawn'];

/** Why no payment has anything left of an overpayment. Whoever is told to pay it back must not pay twice. */
export function nothingLeftWords({ franchiseId, workOrderNumber, refunds }: Paid): string {
  const isLeaving = refunds.some(
    ({ state, lines }) =>
      !ENDED.includes(state) &&
      lines.some(
        (line) =>
          line.franchiseId === franchiseId &&
          line.workOrderNumber === workOrderNumber &&
          line.effect === 'due-again',
      ),
  );
  return isLeaving
    ? 'It is being returned: a refund of this invoice has not ended. Do not pay it back another way.'
    : 'No card payment of this invoice has anything left. Pay it back another way.';
}
