import type { Deps } from '../../deps.ts';
import { endChargeWaitsAhead, endRestsAhead } from '../../modules/payments/sweep/leases.queries.ts';

/** Goes on with what would otherwise wait for as long as the engine's clock was ahead before it was set back. */
export async function endWaitsAhead({ db }: Pick<Deps, 'db'>): Promise<void> {
  await endRestsAhead(db.query);
  await endChargeWaitsAhead(db.query);
}
