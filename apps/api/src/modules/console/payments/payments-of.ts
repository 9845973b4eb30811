import type { PaymentRow, PaymentState } from '@brightpane/contract/office/payments';
import type { Queryable } from '../../../db/client.ts';
import { MOST_CANDIDATES } from '../lists/pages.ts';
import type { Reading } from '../search/readings.ts';
import { presentShare } from './payments.presenter.ts';
import { selectShares } from './shares.queries.ts';

type Asked = { actorId: string; franchiseId: number; limit: number };

/**
 * The newest payments of one invoice, including declined ones, and before them those that money can go back from: behind
 * any number of declined ones, they tell what to do about an overpayment.
 */
export async function paymentsOfInvoice(
  db: Queryable,
  { workOrderNumber, limit, ...asked }: Asked & { workOrderNumber: number },
): Promise<{ payments: PaymentRow[]; hasMorePayments: boolean }> {
  const read = (most: number, state?: PaymentState) =>
    paymentsOf(db, { ...asked, limit: most }, { kind: 'work-order', number: workOrderNumber }, [], state);
  const newest = await read(limit + 1);
  const payments = newest.slice(0, limit);
  if (newest.length <= limit) return { payments, hasMorePayments: false };
  const accepted = await Promise.all([read(limit, 'paid'), read(limit, 'partly-refunded')]);
  const shown = new Set(payments.map(({ paymentId }) => paymentId));
  const before = accepted
    .flat()
    .filter(({ paymentId }) => !shown.has(paymentId))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return { payments: [...payments, ...before], hasMorePayments: true };
}

/** The newest payments of a customer's invoices. */
export const paymentsOfCustomer = (db: Queryable, { customerId, ...asked }: Asked & { customerId: number }) =>
  paymentsOf(db, asked, { kind: 'words', words: [] }, [customerId]);

async function paymentsOf(
  db: Queryable,
  { actorId, franchiseId, limit }: Asked,
  reading: Reading,
  customerIds: number[],
  state?: PaymentState,
): Promise<PaymentRow[]> {
  const { rows } = await selectShares(
    db,
    {
      actorId,
      isOfAll: false,
      franchiseId,
      days: [],
      terms: [{ readings: [reading], without: '' }],
      customers: new Map([[reading, customerIds]]),
      isOldestFirst: false,
      state,
      method: undefined,
      minAmount: undefined,
      maxAmount: undefined,
    },
    { after: null, limit, most: MOST_CANDIDATES },
  );
  return rows.map(presentShare);
}
