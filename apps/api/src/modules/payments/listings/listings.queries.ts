import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';

/** What a list is read for, the least urgent first. */
export type Urgency = 'refund' | 'comparison' | 'look-up' | 'closed-account' | 'payer';

/** How many listings one account may have made for one more. */
const LISTINGS_PER_MINUTE = 10;
const LISTINGS_PER_DAY = 1_000;
/**
 * Refunds leave some to the comparison. One whose list is too long to be read in time reads it again and again, until the
 * comparison has shortened what it must read.
 */
const LISTINGS_PER_DAY_FOR_REFUNDS = 800;

/**
 * How many listings all accounts together may have made for one more of this urgency. The provider counts calls for each
 * endpoint key and address, 45 a minute and 5,000 a day on the default one, and payments need most of them.
 */
const OF_ALL: Record<Urgency, { perMinute: number; perDay: number }> = {
  refund: { perMinute: 9, perDay: 1_300 },
  comparison: { perMinute: 10, perDay: 1_500 },
  'look-up': { perMinute: 15, perDay: 2_000 },
  'closed-account': { perMinute: 20, perDay: 4_000 },
  payer: { perMinute: 45, perDay: 5_000 },
};

/** Whether a page may be read now; if not, in how many seconds to ask again. */
export type ListingTurn = {
  turn: 'taken' | 'minute-spent' | 'day-spent' | 'resting';
  againInSeconds: number;
  /** By the engine's clock. */
  nowMilliseconds: number;
  /** The last attempts got no connection. */
  wasRefused: boolean;
  /** It is the budget of all accounts that is spent. */
  isOfAll: boolean;
};

/** Takes a page from the account's listing budget and from that of all accounts, if both have one left. */
export async function takeListing(
  db: Queryable,
  { accountId, urgency }: { accountId: number; urgency: Urgency },
): Promise<ListingTurn> {
  const perDay = urgency === 'refund' ? LISTINGS_PER_DAY_FOR_REFUNDS : LISTINGS_PER_DAY;
  const ofAll = OF_ALL[urgency];
  const rows = await query<ListingTurn>(db)`
    SELECT turn, again_in AS "againInSeconds", now_ms AS "nowMilliseconds", was_refused AS "wasRefused",
           of_all AS "isOfAll"
      FROM take_listing_turn(${accountId}, ${LISTINGS_PER_MINUTE}, ${perDay},
                             ${ofAll.perMinute}, ${ofAll.perDay})`;
  const [turn] = rows;
  if (!turn) throw new Error('a turn is always answered');
  return turn;
}

/** The first rest is short, as most outages are. Being blocked for listing too much lasts about an hour. */
const RESTS_SECONDS = [300, 1_200, 3_600, 7_200, 14_400];
export const LONGEST_LISTING_REST_SECONDS = Math.max(...RESTS_SECONDS);

/** The longest rest of a listing that keeps an account closed: its payers wait for it, and nothing else is asked. */
const CLOSED_RESTS_SECONDS = 300;

/** Ends a rest that has lasted long enough for a closed account. A connection refused again lengthens the next one. */
export async function cutListingRest(db: Queryable, { accountId }: { accountId: number }): Promise<void> {
  await query(db)`
    UPDATE provider_budget SET listing_rests_until = NULL
     WHERE merchant_account_id = ${accountId} AND listing_rests_until > engine_now()
       AND listing_refused_at <= engine_now() - make_interval(secs => ${CLOSED_RESTS_SECONDS})`;
}

/** After a refused connection, stops listing this account for a while. Payments and captures continue. */
export async function restListing(
  db: Queryable,
  { accountId }: { accountId: number },
): Promise<{ seconds: number; refusals: number }> {
  const [row] = await query<{ seconds: number; refusals: number }>(db)`
    UPDATE provider_budget b
       SET listing_refused_at = engine_now(),
           listing_refusals = least(b.listing_refusals + 1, ${RESTS_SECONDS.length}::integer),
           listing_rests_until = engine_now() + make_interval(secs => rest.seconds)
      FROM (SELECT (${listOf(RESTS_SECONDS, 'integer')})[
                     least(listing_refusals + 1, ${RESTS_SECONDS.length}::integer)] AS seconds
              FROM provider_budget WHERE merchant_account_id = ${accountId}) AS rest
     WHERE b.merchant_account_id = ${accountId}
    RETURNING rest.seconds, b.listing_refusals AS refusals`;
  return row ?? { seconds: RESTS_SECONDS[0] ?? 0, refusals: 1 };
}

/** A page arrived, so the next refusal starts with a short rest again. */
export async function endListingRest(db: Queryable, { accountId }: { accountId: number }): Promise<void> {
  await query(db)`
    UPDATE provider_budget SET listing_refusals = 0, listing_rests_until = NULL
     WHERE merchant_account_id = ${accountId}`;
}
