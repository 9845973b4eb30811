import { type Cents, cents } from '@brightpane/money/cents';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { isAhead, isUnleased, LEASE_SECONDS } from '../../../../db/clock/ahead.queries.ts';
import { query, unnest } from '../../../../db/query.ts';
import type { ChargeState } from '../../../../db/schema/payments.ts';
import type { RefundMethod, RefundState, RefundWait } from '../../../../db/schema/refunds.ts';
import { isMade } from '../../../../db/statements/line-sums.queries.ts';
import { LONGEST_BACK_OFF_SECONDS } from '../../../../jobs/back-off.ts';
import { isOwnOrder } from '../../epoch/own-orders.queries.ts';
import { DEADLINE_SECONDS, VOID_LANDS_SECONDS } from '../moves/refund-times.ts';
import { unowned } from '../refund-bars.queries.ts';

/** A refund leased to this worker for a minute, with what its decision needs. */
export type LeasedRefund = {
  refundId: string;
  intentId: string;
  accountId: number;
  orderId: string;
  /** The sale's transaction key. */
  transactionKey: string | null;
  chargeCents: Cents;
  chargeState: ChargeState;
  amountCents: Cents;
  mark: string;
  state: RefundState;
  method: RefundMethod | null;
  beforeKeys: string[];
  answerKey: string | null;
  fence: number;
  attempts: number;
  franchiseIds: number[];
  /** Seconds until no void of the charge can land any more; null if none was sent. */
  voidOpenSeconds: number | null;
  /** Seconds since its deadline, and since the first complete listing without it. */
  overdueSeconds: number | null;
  absentSeconds: number | null;
  /** Seconds since a person could see that it takes too long; null before. */
  reviewSeconds: number | null;
  /** Seconds since it began to wait to be sent. */
  waitingSeconds: number;
  createdAtMilliseconds: number;
  sentAtMilliseconds: number | null;
  leasedAtMilliseconds: number;
  coveredFromMilliseconds: number | null;
  coveredUntilMilliseconds: number | null;
};

const AT_A_TIME = 20;

const milliseconds = (value: string) => sql`extract(epoch FROM ${sql.raw(value)})::float8 * 1000`;
const secondsSince = (value: string) => sql`extract(epoch FROM engine_now() - ${sql.raw(value)})::float8`;
/** Not noted yet, if it was while the engine's clock was ahead: it proves something only with what is seen later. */
const secondsSinceNoted = (value: string) =>
  sql`CASE WHEN ${sql.raw(value)} <= engine_now() THEN ${secondsSince(value)} END`;

/** Merchant accounts with refunds to look at, now or later. Each gets a lane. */
export async function listRefundingAccounts(db: Queryable): Promise<number[]> {
  const rows = await query<{ accountId: number }>(db)`
    SELECT DISTINCT c.merchant_account_id AS "accountId" FROM refund r JOIN charge c ON c.id = r.charge_id
     WHERE r.next_try_at IS NOT NULL ORDER BY 1`;
  return rows.map(({ accountId }) => accountId);
}

/** How long this deployment's oldest refund has been due, leaving out resting accounts. */
export const refundLag = ({ publicUrl }: { publicUrl: string }) => sql`
  (SELECT extract(epoch FROM (SELECT engine_now()) - min(r.next_try_at))
     FROM refund r JOIN charge c ON c.id = r.charge_id
    WHERE r.next_try_at IS NOT NULL AND ${isUnleased('r.lease_until')} AND ${isOwnOrder(publicUrl)}
      AND c.merchant_account_id <> ALL (ARRAY(
        SELECT b.merchant_account_id FROM provider_budget b WHERE b.resting_until > (SELECT engine_now()))))`;

/** The account's known period. One that ends ahead of the engine's clock, as that was set back, is none. */
const coverage = sql`
  refund_coverage k WHERE k.merchant_account_id = c.merchant_account_id AND NOT ${isAhead('k.covered_until', 0)}`;

const leased = sql`
  r.id AS "refundId", c.intent_id AS "intentId", c.merchant_account_id AS "accountId",
      c.order_id AS "orderId", c.transaction_key AS "transactionKey", c.amount_cents AS "chargeCents",
      c.state AS "chargeState", r.amount_cents AS "amountCents", r.mark, r.state, r.method,
      array_to_json(r.before_keys) AS "beforeKeys", r.answer_key AS "answerKey", r.fence, r.attempts,
      (SELECT json_agg(DISTINCT i.franchise_id) FROM refund_line l JOIN invoice i ON i.id = l.invoice_id
        WHERE l.refund_id = r.id) AS "franchiseIds",
      (SELECT extract(epoch FROM max(o.void_until) - engine_now())::float8 FROM refund o
        WHERE o.charge_id = c.id) AS "voidOpenSeconds",
      ${secondsSince('r.deadline_at')} AS "overdueSeconds", ${secondsSinceNoted('r.first_absent_at')} AS "absentSeconds",
      ${secondsSinceNoted('r.review_since')} AS "reviewSeconds",
      ${secondsSince('coalesce(q.approved_at, q.created_at)')} AS "waitingSeconds",
      ${milliseconds('c.created_at')} AS "createdAtMilliseconds",
      ${milliseconds('r.sent_at')} AS "sentAtMilliseconds",
      ${milliseconds('engine_now()')} AS "leasedAtMilliseconds",
      (SELECT ${milliseconds('k.covered_from')} FROM ${coverage}) AS "coveredFromMilliseconds",
      (SELECT ${milliseconds('k.covered_until')} FROM ${coverage}) AS "coveredUntilMilliseconds"`;

const asLeased = (row: LeasedRefund): LeasedRefund => ({
  ...row,
  chargeCents: cents(row.chargeCents),
  amountCents: cents(row.amountCents),
});

/** Leases an account's due refunds of this deployment, the longest due first, unless the account is resting. */
export async function leaseRefunds(
  db: Queryable,
  { publicUrl, accountId }: { publicUrl: string; accountId: number },
): Promise<LeasedRefund[]> {
  const rows = await query<LeasedRefund>(db)`
    WITH due AS (
      SELECT r.id FROM refund r JOIN charge c ON c.id = r.charge_id
       WHERE r.next_try_at IS NOT NULL AND r.next_try_at <= (SELECT engine_now())
         AND r.state IN ('waiting', 'sending', 'unknown')
         AND ${isUnleased('r.lease_until')}
         AND c.merchant_account_id = ${accountId}
         AND ${isOwnOrder(publicUrl)}
         AND NOT EXISTS (SELECT FROM provider_budget b WHERE b.merchant_account_id = ${accountId}
                            AND b.resting_until > (SELECT engine_now()))
       ORDER BY r.next_try_at LIMIT ${AT_A_TIME} FOR UPDATE OF r SKIP LOCKED),
    leased AS (
      UPDATE refund r SET lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS}),
                          fence = r.fence + 1, attempts = r.attempts + 1
        FROM due, charge c, refund_request q
       WHERE r.id = due.id AND c.id = r.charge_id AND q.id = r.request_id
      RETURNING ${leased}, r.next_try_at AS "dueAt")
    -- What an UPDATE returns has no order.
    SELECT * FROM leased ORDER BY "dueAt"`;
  return rows.map(asLeased);
}

type Leased = Pick<LeasedRefund, 'refundId' | 'fence'>;

/**
 * Whether a row is still this worker's to write: nobody has taken over the lease, and no person has withdrawn or held the
 * refund meanwhile, which leaves the lease alone.
 */
const isStillOurs = ({ refundId, fence }: Leased) => sql`
  (id = ${refundId} AND fence = ${fence} AND state IN ('waiting', 'sending', 'unknown'))`;

/** Keeps leases alive during a long look. */
export async function renewRefundLeases(db: Queryable, refunds: Leased[]): Promise<void> {
  await query(db)`
    UPDATE refund r SET lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS})
      FROM ${unnest(refunds, { refundId: 'uuid', fence: 'bigint' })} AS held (id, fence)
     WHERE r.id = held.id AND r.fence = held.fence`;
}

/** Ends the lease until the next try. */
export async function postponeRefund(
  db: Queryable,
  leased: Leased,
  { seconds, waitsFor = null, isLate }: { seconds: number; waitsFor?: RefundWait | null; isLate: boolean },
): Promise<void> {
  const review = isLate ? sql`, review_since = least(review_since, engine_now())` : sql``;
  await query(db)`
    UPDATE refund SET next_try_at = engine_now() + make_interval(secs => ${seconds}), lease_until = NULL,
           waits_for = CASE WHEN state = 'waiting' THEN ${waitsFor} END ${review}
     WHERE ${isStillOurs(leased)}`;
}

/**
 * Makes refunds due that wait longer than any does: their waits began before the engine's clock was set back. A call that
 * was sent then has ended, or can land, no later than one that is sent now.
 */
export async function endRefundWaitsAhead(db: Queryable): Promise<void> {
  const waitsAhead = isAhead('next_try_at', LONGEST_BACK_OFF_SECONDS);
  const isSentAhead = isAhead('deadline_at', DEADLINE_SECONDS);
  await query(db)`
    UPDATE refund SET
      next_try_at = CASE WHEN ${waitsAhead} THEN engine_now() ELSE next_try_at END,
      deadline_at = CASE WHEN ${isSentAhead} THEN engine_now() + make_interval(secs => ${DEADLINE_SECONDS})
                         ELSE deadline_at END
     WHERE next_try_at IS NOT NULL AND (${waitsAhead} OR ${isSentAhead})`;
  await endVoidsAhead(db);
}

/** A void outlives its refund: whatever has ended keeps the next one of its charge waiting, too. */
async function endVoidsAhead(db: Queryable): Promise<void> {
  const landing = DEADLINE_SECONDS + VOID_LANDS_SECONDS;
  await query(db)`
    UPDATE refund SET void_until = engine_now() + make_interval(secs => ${landing})
     WHERE ${isAhead('void_until', landing)}
       AND charge_id IN (SELECT r.charge_id FROM refund r
                          WHERE r.state IN ('requested', 'waiting', 'sending', 'unknown', 'held'))`;
}

/** Stores when the reading began: what it shows is that old. */
export async function noteLook(db: Queryable, leased: Leased, at: Date): Promise<void> {
  await query(db)`
    UPDATE refund SET looked_at = ${at.toISOString()}::timestamptz WHERE ${isStillOurs(leased)}`;
}

/** Stores the first complete listing without the refund. */
export async function noteRefundAbsence(db: Queryable, leased: Leased, at: Date): Promise<void> {
  await query(db)`
    UPDATE refund SET first_absent_at = least(first_absent_at, ${at.toISOString()}::timestamptz)
     WHERE ${isStillOurs(leased)}`;
}

/** Extends how long a void may land, as it is sent again. False if another worker has taken over the lease. */
export async function extendVoid(
  db: Queryable,
  { refundId, fence }: Leased,
  { seconds }: { seconds: number },
): Promise<boolean> {
  const rows = await query(db)`
    UPDATE refund SET void_until = engine_now() + make_interval(secs => ${seconds}),
           lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE id = ${refundId} AND fence = ${fence} AND state = 'unknown' AND method = 'void' RETURNING id`;
  return rows.length === 1;
}

export type Candidate = { transactionKey: string; type: 'C' | 'Z' };

/** The provider's unowned refunds of this order and amount that appeared after it was sent. */
export async function listCandidates(db: Queryable, { refundId }: Leased): Promise<Candidate[]> {
  return query<Candidate>(db)`
    SELECT s.transaction_key AS "transactionKey", s.type
      FROM refund r JOIN charge c ON c.id = r.charge_id
      JOIN seen_refund s ON s.order_id = c.order_id AND s.refund_id IS NULL
       AND s.amount_cents = r.amount_cents AND s.transaction_key <> ALL (r.before_keys)
     WHERE r.id = ${refundId} ORDER BY 1`;
}

export type ReviewedRefund = LeasedRefund & {
  madeKey: string | null;
  heldFor: string | null;
  isSent: boolean;
  isDisputed: boolean;
  /** What answers to refunds of the charge named. */
  answerKeys: string[];
};

/** Leases a refund for a person's decision; a made one only to be undone. */
export async function leaseReviewedRefund(
  db: Queryable,
  { refundId, mayBeMade }: { refundId: string; mayBeMade: boolean },
): Promise<ReviewedRefund | 'leased' | undefined> {
  const isDecidable = sql`(r.state = 'held' OR ${mayBeMade} AND ${isMade('r')})`;
  const rows = await query<ReviewedRefund>(db)`
    UPDATE refund r SET lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS}), fence = r.fence + 1
      FROM charge c, refund_request q
     WHERE r.id = ${refundId} AND c.id = r.charge_id AND q.id = r.request_id AND ${isDecidable}
       AND ${isUnleased('r.lease_until')}
    RETURNING ${leased}, r.transaction_key AS "madeKey", r.held_for AS "heldFor", r.sent_at IS NOT NULL AS "isSent",
      EXISTS (SELECT FROM dispute d WHERE d.charge_id = c.id AND d.outcome IS DISTINCT FROM 'won') AS "isDisputed",
      array_to_json(ARRAY(SELECT o.answer_key FROM refund o
                           WHERE o.charge_id = c.id AND o.answer_key IS NOT NULL)) AS "answerKeys"`;
  const [row] = rows;
  if (row) return { ...row, ...asLeased(row) };
  const held = await query(db)`SELECT FROM refund r WHERE r.id = ${refundId} AND ${isDecidable}`;
  return held.length > 0 ? 'leased' : undefined;
}

export async function endRefundLease(db: Queryable, { refundId, fence }: Leased): Promise<void> {
  await query(db)`UPDATE refund SET lease_until = NULL WHERE id = ${refundId} AND fence = ${fence}`;
}

/** The provider's unowned refunds of the charge, except voided ones. */
export async function listUnclaimedKeys(
  db: Queryable,
  { refundId }: Pick<Leased, 'refundId'>,
): Promise<string[]> {
  const rows = await query<{ key: string }>(db)`
    SELECT s.transaction_key AS key FROM refund r JOIN charge c ON c.id = r.charge_id
     CROSS JOIN LATERAL ${unowned} AS s
     WHERE r.id = ${refundId} AND s.type = 'C' ORDER BY 1`;
  return rows.map(({ key }) => key);
}
