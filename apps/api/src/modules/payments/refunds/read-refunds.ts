import type { Deps } from '../../../deps.ts';
import { keepSeenRefunds } from '../listings/keep-seen-refunds.ts';
import type { Urgency } from '../listings/listings.queries.ts';
import { type Scan, scanListing } from '../listings/scan-listing.ts';
import type { Found } from '../sweep/find-transaction.ts';
import { type LeasedRefund, renewRefundLeases } from './sweep/refund-leases.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** A reading this young also serves the next refund. */
const RECENT_MILLISECONDS = 2_000;
/** How long a reading cut off by the budget may be resumed; less than the allowed age of a look. */
const RESUMED_MILLISECONDS = 100_000;
/** A long reading of older rows is reused this long, so that it is read once. */
const DEEP_MILLISECONDS = 60 * 60 * 1000;

/**
 * Reads the account's list from the newest row back to the period known without a gap, and stores its refunds. For a
 * charge older than that period it reads back to the charge, to find refunds made by hand.
 */
export async function readForSending(
  deps: Deps,
  refund: LeasedRefund,
  { sale }: { sale: Found },
): Promise<Scan & { isDeep: boolean }> {
  const { attempts, leasedAtMilliseconds } = refund;
  const isDeep = !isCovered(asSold(refund, sale));
  const age = isDeep ? DEEP_MILLISECONDS : attempts > 1 ? RESUMED_MILLISECONDS : RECENT_MILLISECONDS;
  const since = new Date(leasedAtMilliseconds - age);
  return { ...(await readRefunds(deps, refund, { sale, since, urgency: 'refund' })), isDeep };
}

/** Whether a reading may miss refunds of the last minutes. */
export const isTooOld = ({ leasedAtMilliseconds }: LeasedRefund, beganAt: Date): boolean =>
  beganAt.getTime() < leasedAtMilliseconds - RESUMED_MILLISECONDS;

/** Reads the list as above, with a reading begun no earlier than `since`. */
export async function readRefunds(
  deps: Deps,
  refund: LeasedRefund,
  {
    sale,
    since,
    urgency = 'look-up',
    scan: read = scanListing,
  }: { sale: Found; since: Date; urgency?: Urgency; scan?: typeof scanListing },
): Promise<Scan> {
  const { accountId } = refund;
  const { gateway } = sale;
  const back = backOf(asSold(refund, sale));
  const onPage = () => renewRefundLeases(deps.db.query, [refund]);
  const scan = await read(deps, { gateway, accountId, since, back, urgency, onPage });
  await keepSeenRefunds(deps, { accountId, back, scan });
  return scan;
}

/**
 * The refund without times that the engine's clock gave it while it was ahead, before it was set back. Its charge is then as
 * old as the provider's record of the sale, by the clock that its list goes by, and it may have been sent any time since.
 */
function asSold(refund: LeasedRefund, { transaction }: Found): LeasedRefund {
  const { createdAtMilliseconds: created, sentAtMilliseconds: sent, leasedAtMilliseconds: now } = refund;
  const sold = transaction.createdAt?.getTime() ?? now;
  const isAhead = created > now || sold < created - DAY_MILLISECONDS;
  const began = isAhead ? Math.min(created, sold, now) : created;
  const isSentAhead = sent !== null && sent > now;
  return { ...refund, createdAtMilliseconds: began, sentAtMilliseconds: isSentAhead ? began : sent };
}

const isCovered = ({ createdAtMilliseconds, coveredFromMilliseconds }: LeasedRefund) =>
  coveredFromMilliseconds !== null && coveredFromMilliseconds <= createdAtMilliseconds;

/** Adds a day: the merchant's clock may be many hours off. */
function backOf(refund: LeasedRefund): Date {
  const { createdAtMilliseconds, sentAtMilliseconds, coveredUntilMilliseconds } = refund;
  const known = isCovered(refund) ? coveredUntilMilliseconds : createdAtMilliseconds;
  // A refund with a lost answer may be in a part of the list that was read before it showed there.
  const wanted = [known, sentAtMilliseconds].filter((each) => each !== null);
  return new Date(Math.min(...wanted) - DAY_MILLISECONDS);
}
