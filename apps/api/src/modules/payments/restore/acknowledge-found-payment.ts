import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import { isAnyFoundOpen, markFoundPaymentAcknowledged } from './found-payments.queries.ts';

/** What came of it. `edited-meanwhile`: the order's payment is no longer what the person looked at. */
export type FoundAcknowledged = 'done' | 'not-found' | 'edited-meanwhile';

/**
 * A person confirms that a found payment is dealt with: booked by the office as paid elsewhere, or voided or refunded
 * at the provider. From then on its work orders can be paid.
 */
export function acknowledgeFoundPayment(
  { db }: Pick<Deps, 'db'>,
  {
    orderId,
    version,
    actor,
  }: {
    orderId: string;
    /** The version that was looked at; without one, whatever was found under the order. */
    version?: number | undefined;
    actor: Actor;
  },
): Promise<FoundAcknowledged> {
  return db.transaction(async (tx) => {
    if (!(await markFoundPaymentAcknowledged(tx, { orderId, version, actor })))
      return (await isAnyFoundOpen(tx, orderId)) ? 'edited-meanwhile' : 'not-found';
    // If this was the last one in the way, payments open.
    wake(tx, 'compare-after-restore');
    return 'done';
  });
}
