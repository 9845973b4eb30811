import type { Deps } from '../../../deps.ts';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { readEngineTime } from '../listings/listings.queries.ts';
import type { Scan } from '../listings/scan-listing.ts';
import { scanPatiently } from '../listings/scan-patiently.ts';
import type { ReviewedCharge } from './review.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export const isPaid = ({ state }: Pick<TransactionRecord, 'state'>) =>
  state === 'captured' || state === 'settled';

/** Everything that the provider has under the charge's order id, except refunds. */
export async function recordsOf(
  deps: Deps,
  { accountId, orderId, createdAtMilliseconds }: ReviewedCharge,
): Promise<{ rows: TransactionRecord[]; scan: Scan }> {
  const [own] = await openMerchantKeys(deps, { accountId });
  const back = new Date(createdAtMilliseconds - DAY_MILLISECONDS);
  const since = await readEngineTime(deps.db.query);
  const scan = await scanPatiently(deps, { gateway: deps.gateways.of(own), accountId, since, back });
  const rows = (scan.byOrderId.get(orderId) ?? []).filter((row) => !row.isRefund);
  return { rows, scan };
}
