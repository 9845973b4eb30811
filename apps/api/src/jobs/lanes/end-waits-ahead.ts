import type { Deps } from '../../deps.ts';
import { endMailWaitsAhead } from '../../mail/mail.queries.ts';
import { endRefundWaitsAhead } from '../../modules/payments/refunds/sweep/refund-leases.queries.ts';
import { endChargeWaitsAhead, endRestsAhead } from '../../modules/payments/sweep/leases.queries.ts';

/** Goes on with what would otherwise wait for as long as the engine's clock was ahead before it was set back. */
export async function endWaitsAhead({ db }: Pick<Deps, 'db'>): Promise<void> {
  await endRestsAhead(db.query);
  await endChargeWaitsAhead(db.query);
  await endRefundWaitsAhead(db.query);
  await endMailWaitsAhead(db.query);
}
