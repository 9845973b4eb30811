import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import {
  isAhead,
  isUnleased,
  LEASE_SECONDS,
  LONGEST_PAYMENT_SECONDS,
} from '../../../db/clock/ahead.queries.ts';
import { query, unnest } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import { countDown } from '../../../gateway/count-down.ts';
import { backOffSeconds, LONGEST_BACK_OFF_SECONDS } from '../../../jobs/back-off.ts';
import type { SealedAccount } from '../../merchant-accounts/sealed-keys.ts';
import { isOwnOrder } from '../epoch/own-orders.queries.ts';
import { LONGEST_LISTING_REST_SECONDS } from '../listings/listings.queries.ts';

/** A charge leased to this worker for a minute. The next lease has a higher fence, which keeps this worker out. */
export type LeasedCharge = {
  chargeId: string;
  intentId: string;
  accountId: number;
  /** The account with its stored, sealed keys. */
  account: SealedAccount;
  orderId: string;
  amountCents: number;
  state: ChargeState;
  transactionKey: string | null;
  fence: number;
  attempts: number;
  /** Seconds since the payment's deadline; negative before it. */
  overdueSeconds: number;
  /** Seconds since the acceptance. */
  acceptedSeconds: number | null;
  /** Seconds since a capture was first called impossible. */
  impossibleSeconds: number | null;
  /** Seconds since the first complete listing without it. */
  absentSeconds: number | null;
  /** Seconds since a person can see it in the review. */
  reviewSeconds: number | null;
  /** Never after the lease: it may lie ahead of an engine's clock that was set back. */
  createdAtMilliseconds: number;
  /** When this worker leased it, by the engine's clock. */
  leasedAtMilliseconds: number;
  /** Consecutive sweep calls that this account hasn't answered. */
  accountFailures: number;
};

/** Counts down how long a lease that is about to be taken lasts at least; calls end with it. */
export const countLease = () => countDown(LEASE_SECONDS * 1000);

/** A charge that is continued by its transaction key. */
export type KeyedCharge = LeasedCharge & {
  /** Of the lease. After it, another worker or a person may have decided. */
  millisecondsLeft: () => number;
};

/** Consecutive unanswered calls after which an account rests. */
const FAILURES_THAT_REST = 3;

/** Derived from the lease just taken: reading the clock for each charge costs more than the charge itself. */
const leasedAt = sql`(c.lease_until - make_interval(secs => ${LEASE_SECONDS}))`;
const secondsSince = (column: string) => sql`extract(epoch FROM ${leasedAt} - ${sql.raw(column)})::float8`;
/** Not noted yet, if it was while the engine's clock was ahead: it proves something only with what is seen later. */
const secondsSinceNoted = (column: string) =>
  sql`CASE WHEN ${sql.raw(column)} <= ${leasedAt} THEN ${secondsSince(column)} END`;

/**
 * When the payment's calls were over. Its deadline, unless that was set while the engine's clock was ahead: then as late as a
 * payment that was still undecided when it was decided can end.
 */
const lastDeadline = `least(p.deadline_at, p.decided_at + interval '${LONGEST_PAYMENT_SECONDS} seconds')`;

const leased = sql`
  c.id AS "chargeId", c.intent_id AS "intentId", c.merchant_account_id AS "accountId", c.order_id AS "orderId",
  c.amount_cents AS "amountCents", c.state, c.transaction_key AS "transactionKey", c.fence, c.attempts,
  (SELECT json_build_object('id', m.id, 'apiKey', m.api_key, 'pin', m.pin) FROM merchant_account m
    WHERE m.id = c.merchant_account_id) AS account,
  (SELECT ${secondsSince(lastDeadline)} FROM payment_intent p WHERE p.id = c.intent_id) AS "overdueSeconds",
  ${secondsSince('c.accepted_at')} AS "acceptedSeconds",
  ${secondsSinceNoted('c.first_impossible_at')} AS "impossibleSeconds",
  ${secondsSinceNoted('c.first_absent_listing_at')} AS "absentSeconds",
  ${secondsSince('c.review_since')} AS "reviewSeconds",
  extract(epoch FROM least(c.created_at, ${leasedAt}))::float8 * 1000 AS "createdAtMilliseconds",
  extract(epoch FROM ${leasedAt})::float8 * 1000 AS "leasedAtMilliseconds",
  coalesce((SELECT b.failures FROM provider_budget b
             WHERE b.merchant_account_id = c.merchant_account_id), 0) AS "accountFailures"`;

/**
 * Due, unleased, of this deployment, and on an account that isn't resting. `IS NOT NULL` looks redundant, but without
 * it Postgres guesses that a third of all charges are due and picks another index.
 */
const isDue = (publicUrl: string) => sql`
  c.next_try_at IS NOT NULL AND c.next_try_at <= (SELECT engine_now())
  AND ${isUnleased('c.lease_until')}
  AND ${isOwnOrder(publicUrl)}
  AND NOT EXISTS (SELECT FROM provider_budget b
                   WHERE b.merchant_account_id = c.merchant_account_id AND b.resting_until > (SELECT engine_now()))`;

/** Continued by transaction key: captured, released or reversed. */
const isKeyed = sql`(c.state IN ('accepted', 'reversing', 'releasing')
                     OR (c.state = 'abandoned' AND c.transaction_key IS NOT NULL))`;
/** Its hold has to be looked for in the provider's list. */
const isLost = sql`(c.state = 'abandoned' AND c.transaction_key IS NULL)`;

/** Merchant accounts with unfinished charges, due now or later. Each gets a lane. */
export async function listUnfinishedAccounts(db: Queryable): Promise<number[]> {
  // Skips along the index from account to account, so a pile-up on one account costs nothing.
  const rows = await query<{ accountId: number }>(db)`
    WITH RECURSIVE unfinished AS (
      (SELECT merchant_account_id AS id FROM charge WHERE next_try_at IS NOT NULL
        ORDER BY merchant_account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT merchant_account_id FROM charge
               WHERE next_try_at IS NOT NULL AND merchant_account_id > unfinished.id
               ORDER BY merchant_account_id LIMIT 1)
        FROM unfinished WHERE unfinished.id IS NOT NULL)
    SELECT id AS "accountId" FROM unfinished WHERE id IS NOT NULL`;
  return rows.map(({ accountId }) => accountId);
}

/** How long this deployment's oldest charge of a kind has been due, leaving out resting accounts. */
export const chargeLag = (kind: 'keyed' | 'lost', { publicUrl }: { publicUrl: string }) => sql`
  (SELECT extract(epoch FROM (SELECT engine_now()) - min(c.next_try_at)) FROM charge c
    WHERE c.next_try_at IS NOT NULL AND ${isUnleased('c.lease_until')}
      AND ${isOwnOrder(publicUrl)} AND ${kind === 'keyed' ? isKeyed : isLost}
      AND c.merchant_account_id <> ALL (ARRAY(
        SELECT b.merchant_account_id FROM provider_budget b WHERE b.resting_until > (SELECT engine_now()))))`;

/**
 * Accounts that have left several calls in a row unanswered, and that a charge of this deployment still waits for: only its
 * call can end that.
 */
export async function listSilentAccounts(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<number[]> {
  const rows = await query<{ accountId: number }>(db)`
    SELECT b.merchant_account_id AS "accountId" FROM provider_budget b
     WHERE b.failures >= ${FAILURES_THAT_REST}
       AND EXISTS (SELECT FROM charge c
                    WHERE c.merchant_account_id = b.merchant_account_id AND c.next_try_at IS NOT NULL
                      AND ${isOwnOrder(publicUrl)})
     ORDER BY 1`;
  return rows.map(({ accountId }) => accountId);
}

const takeLease = sql`
  lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS}), fence = c.fence + 1,
  attempts = c.attempts + 1,
  capture_sent_at = CASE c.state WHEN 'accepted' THEN coalesce(c.capture_sent_at, engine_now())
                                 ELSE c.capture_sent_at END`;

/**
 * Leases an account's next charges to continue by their transaction keys: at most so many, and only one if the account
 * hasn't answered lately.
 */
export async function leaseKeyedCharges(
  db: Queryable,
  { publicUrl, accountId, most }: { publicUrl: string; accountId: number; most: number },
): Promise<KeyedCharge[]> {
  // Counted from before the statement: the process may sleep while it waits for the answer.
  const millisecondsLeft = countLease();
  const rows = await query<LeasedCharge>(db, { plan: 'once' })`
    UPDATE charge c SET ${takeLease}
     WHERE c.id = ANY(ARRAY(
       SELECT c.id FROM charge c
        WHERE ${isDue(publicUrl)} AND ${isKeyed} AND c.merchant_account_id = ${accountId}
        ORDER BY c.next_try_at LIMIT CASE
          WHEN EXISTS (SELECT FROM provider_budget WHERE merchant_account_id = ${accountId} AND failures > 0)
          THEN 1 ELSE ${most}::integer END
          FOR UPDATE SKIP LOCKED))
    RETURNING ${leased}`;
  return rows.map((row) => ({ ...row, millisecondsLeft }));
}

/** Leases all of an account's charges whose holds must be looked for; one reading of the list serves them all. */
export async function leaseLostCharges(
  db: Queryable,
  { publicUrl, accountId }: { publicUrl: string; accountId: number },
): Promise<LeasedCharge[]> {
  return query<LeasedCharge>(db)`
    WITH due AS (
      SELECT c.id FROM charge c
       WHERE ${isDue(publicUrl)} AND ${isLost} AND c.merchant_account_id = ${accountId}
       ORDER BY c.next_try_at FOR UPDATE SKIP LOCKED)
    UPDATE charge c SET ${takeLease}
      FROM due
     WHERE c.id = due.id
    RETURNING ${leased}`;
}

/** Ends the lease until the next try, unless another worker has taken it over. */
export async function postponeCharge(
  db: Queryable,
  charge: Pick<LeasedCharge, 'chargeId' | 'fence' | 'attempts'>,
  { seconds, atMostSeconds = Number.POSITIVE_INFINITY }: { seconds?: number; atMostSeconds?: number } = {},
): Promise<void> {
  const delay = Math.min(seconds ?? backOffSeconds(charge.attempts), atMostSeconds);
  await query(db)`
    UPDATE charge SET next_try_at = engine_now() + make_interval(secs => ${delay}), lease_until = NULL
     WHERE id = ${charge.chargeId} AND fence = ${charge.fence}`;
}

/** After too many requests, pauses the sweep on this account for a while. */
export async function restAccount(
  db: Queryable,
  { accountId, seconds }: { accountId: number; seconds: number },
): Promise<void> {
  await query(db)`
    INSERT INTO provider_budget (merchant_account_id, resting_until)
    VALUES (${accountId}, engine_now() + make_interval(secs => ${seconds}))
    ON CONFLICT (merchant_account_id) DO UPDATE SET resting_until = excluded.resting_until`;
}

const LONGEST_REST_SECONDS = 60;

/**
 * Counts an unanswered call. From the third in a row, the sweep pauses on this account, longer each time. Calls already
 * in progress when the rest began don't count.
 */
export async function noteNoAnswer(db: Queryable, { accountId }: { accountId: number }): Promise<void> {
  await query(db)`
    INSERT INTO provider_budget AS b (merchant_account_id, failures) VALUES (${accountId}, 1)
    ON CONFLICT (merchant_account_id) DO UPDATE SET
      failures = b.failures + 1,
      resting_until = CASE WHEN b.failures + 1 < ${FAILURES_THAT_REST} THEN b.resting_until
        ELSE engine_now() + make_interval(secs =>
          least(${LONGEST_REST_SECONDS}, 5 * power(2, least(b.failures + 1 - ${FAILURES_THAT_REST}, 10)))) END
     WHERE b.resting_until IS NULL OR b.resting_until <= engine_now()`;
}

/** Ends rests longer than any is: they are from before the engine's clock was set back. */
export async function endRestsAhead(db: Queryable): Promise<void> {
  const rests = sql`coalesce(${isAhead('resting_until', LONGEST_REST_SECONDS)}, false)`;
  const listingRests = sql`coalesce(${isAhead('listing_rests_until', LONGEST_LISTING_REST_SECONDS)}, false)`;
  await query(db)`
    UPDATE provider_budget SET
      resting_until = CASE WHEN NOT ${rests} THEN resting_until END,
      listing_rests_until = CASE WHEN NOT ${listingRests} THEN listing_rests_until END
     WHERE ${rests} OR ${listingRests}`;
}

/** Makes charges due that wait longer than any does: their waits began before the engine's clock was set back. */
export async function endChargeWaitsAhead(db: Queryable): Promise<void> {
  await query(db)`
    UPDATE charge SET next_try_at = engine_now() WHERE ${isAhead('next_try_at', LONGEST_BACK_OFF_SECONDS)}`;
}

/** Any answer ends a rest caused by missing answers. */
export async function noteAnswer(db: Queryable, { accountId }: { accountId: number }): Promise<void> {
  await query(db)`
    UPDATE provider_budget SET failures = 0 WHERE merchant_account_id = ${accountId} AND failures > 0`;
}

/** Keeps leases alive during a long look at the provider's list. Returns how many are still this worker's. */
export async function renewLeases(
  db: Queryable,
  charges: Pick<LeasedCharge, 'chargeId' | 'fence'>[],
): Promise<number> {
  const rows = await query(db)`
    UPDATE charge c SET lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS})
      FROM ${unnest(charges, { chargeId: 'uuid', fence: 'bigint' })} AS held (id, fence)
     WHERE c.id = held.id AND c.fence = held.fence
    RETURNING c.id`;
  return rows.length;
}
