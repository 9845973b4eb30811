import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import type { Payment } from '@brightpane/contract/office/payments';
import { keyOf, mostCents, restsOf } from '../../ui/refund/what-goes-back.ts';
import { whyNotRefundable } from '../../ui/refund/why-not.ts';

type Paid = Pick<OfficeInvoice, 'franchiseId' | 'workOrderNumber' | 'refunds'>;

/**
 * The payment from which an invoice's overpayment can go back now, or why there is none. Whoever is told to pay it back
 * must not pay twice, nor what was never collected.
 * @param payments the invoice's card payments, newest first
 */
export function findOverpaid(
  payments: readonly Payment[],
  invoice: Paid,
): { payment: Payment } | { why: string } {
  const workOrder = keyOf(invoice);
  const isFailing = payments.some(({ shares }) =>
    shares.some(
      ({ chargeState, franchiseId, lines }) =>
        chargeState === 'reversing' && lines.some((line) => keyOf({ ...line, franchiseId }) === workOrder),
    ),
  );
  if (isFailing)
    return {
      why: 'Collection of a card payment of this invoice is failing. Do not pay anything back until it is decided.',
    };
  const overpaid = payments.filter(({ refundable }) =>
    refundable.map(restsOf).some((rests) => keyOf(rests) === workOrder && mostCents('overpaid', rests) > 0),
  );
  const payment = overpaid.find((each) => whyNotRefundable(each) === null);
  if (payment) return { payment };
  const [newest] = overpaid;
  return { why: (newest && whyNotRefundable(newest)) ?? nothingLeftWords(invoice) };
}

const ENDED = ['made', 'refused', 'not-made', 'withdrawn'];

function nothingLeftWords({ franchiseId, workOrderNumber, refunds }: Paid): string {
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
