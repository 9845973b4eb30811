import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { scanByAnyKeys } from '../listings/scan-by-any-keys.ts';
import { scanPatiently } from '../listings/scan-patiently.ts';
import type { ReviewedCharge } from './review.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const THE_WHOLE_LIST = new Date(0);

export type Records = {
  rows: TransactionRecord[];
  /** What else there may be: `nothing`, as a whole list shows; `out-of-reach`: the provider refuses all keys. */
  rest: 'nothing' | 'out-of-reach' | 'unclear';
};

/** Everything that the provider has under the charge's order id, except refunds, by any keys of its owner. */
export async function recordsOf(
  deps: Deps,
  { accountId, orderId, createdAtMilliseconds, ageSeconds }: ReviewedCharge,
): Promise<Records> {
  // It began while the engine's clock was ahead, before that was set back.
  const isOfUnknownAge = ageSeconds < 0;
  const { scan, mayBeElsewhere } = await scanByAnyKeys(deps, {
    accountId,
    orderIds: [orderId],
    scan: scanPatiently,
    isThorough: true,
    back: isOfUnknownAge ? THE_WHOLE_LIST : new Date(createdAtMilliseconds - DAY_MILLISECONDS),
    since: await readEngineTime(deps.db.query),
  });
  const rows = (scan.byOrderId.get(orderId) ?? []).filter((row) => !row.isRefund);
  if (mayBeElsewhere) return { rows, rest: 'unclear' };
  if (scan.isComplete) return { rows, rest: 'nothing' };
  return { rows, rest: scan.stoppedBy === 'refused' ? 'out-of-reach' : 'unclear' };
}
