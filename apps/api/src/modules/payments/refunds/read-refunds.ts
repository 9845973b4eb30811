import type { Deps } from '../../../deps.ts';
import type { PaymentGateway } from '../../../gateway/payment-gateway.ts';
import { keepSeenRefunds } from '../listings/keep-seen-refunds.ts';
import { type Scan, scanListing } from '../listings/scan-listing.ts';
import { type LeasedRefund, renewRefundLeases } from './sweep/refund-leases.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** So young a reading serves the next refund too. */
const RECENT_MILLISECONDS = 2_000;
/** A reading that the budget cuts off goes on for so long; it has to be younger than a look may be. */
const RESUMED_MILLISECONDS = 100_000;
/** What a long reading of older parts has shown is read once. */
const DEEP_MILLISECONDS = 60 * 60 * 1000;

/**
 * Reads the account's list from the newest row back to what is known without a gap, and keeps the refunds on it. For an
 * older charge it goes back to the charge itself: until then nobody knows what went back of it by hand.
 */
export async function readForSending(
  deps: Deps,
  refund: LeasedRefund,
  { gateway }: { gateway: PaymentGateway },
): Promise<Scan & { isDeep: boolean }> {
  const { attempts, leasedAtMilliseconds } = refund;
  const isDeep = !isCovered(refund);
  const age = isDeep ? DEEP_MILLISECONDS : attempts > 1 ? RESUMED_MILLISECONDS : RECENT_MILLISECONDS;
  const since = new Date(leasedAtMilliseconds - age);
  return { ...(await readRefunds(deps, refund, { gateway, since })), isDeep };
}

/** Whether a reading may miss a refund of the last minutes. */
export const isTooOld = ({ leasedAtMilliseconds }: LeasedRefund, beganAt: Date): boolean =>
  beganAt.getTime() < leasedAtMilliseconds - RESUMED_MILLISECONDS;

/** The same, begun no earlier than told. */
export async function readRefunds(
  deps: Deps,
  refund: LeasedRefund,
  {
    gateway,
    since,
    scan: read = scanListing,
  }: { gateway: PaymentGateway; since: Date; scan?: typeof scanListing },
): Promise<Scan> {
  const { accountId } = refund;
  const back = backOf(refund);
  const onPage = () => renewRefundLeases(deps.db.query, [refund]);
  const scan = await read(deps, { gateway, accountId, since, back, onPage });
  await keepSeenRefunds(deps, { accountId, back, scan });
  return scan;
}

const isCovered = ({ createdAtMilliseconds, coveredFromMilliseconds }: LeasedRefund) =>
  coveredFromMilliseconds !== null && coveredFromMilliseconds <= createdAtMilliseconds;

/** A day further back than what is wanted: the merchant's clock may be many hours off. */
function backOf(refund: LeasedRefund): Date {
  const { createdAtMilliseconds, sentAtMilliseconds, coveredUntilMilliseconds } = refund;
  const known = isCovered(refund) ? coveredUntilMilliseconds : createdAtMilliseconds;
  // One whose answer was lost may stand where the list was read before, and did not show it yet.
  const wanted = [known, sentAtMilliseconds].filter((each) => each !== null);
  return new Date(Math.min(...wanted) - DAY_MILLISECONDS);
}
