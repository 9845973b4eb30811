import type { PaymentRow } from '@brightpane/contract/office/payments';
import type { Queryable } from '../../../db/client.ts';
import { MOST_CANDIDATES } from '../lists/pages.ts';
import type { Reading } from '../search/readings.ts';
import { presentShare } from './payments.presenter.ts';
import { selectShares } from './shares.queries.ts';

type Asked = { actorId: string; franchiseId: number; limit: number };

/** The newest payments of one invoice, including declined ones. */
export const paymentsOfInvoice = (
  db: Queryable,
  { workOrderNumber, ...asked }: Asked & { workOrderNumber: number },
) => paymentsOf(db, asked, { kind: 'work-order', number: workOrderNumber }, []);

/** The newest payments of a customer's invoices. */
export const paymentsOfCustomer = (db: Queryable, { customerId, ...asked }: Asked & { customerId: number }) =>
  paymentsOf(db, asked, { kind: 'words', words: [] }, [customerId]);

async function paymentsOf(
  db: Queryable,
  { actorId, franchiseId, limit }: Asked,
  reading: Reading,
  customerIds: number[],
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
      state: undefined,
      method: undefined,
      minAmount: undefined,
      maxAmount: undefined,
    },
    { after: null, limit, most: MOST_CANDIDATES },
  );
  return rows.map(presentShare);
}
