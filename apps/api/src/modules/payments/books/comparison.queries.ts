import { type Cents, cents } from '@brightpane/money/cents';
import { type SQL, sql } from 'drizzle-orm';
import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { isUnleased, leaseEnd } from '../../../db/clock/ahead.queries.ts';
import { listOf, onlyRow, query, unnest } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import { isMade } from '../../../db/statements/line-sums.queries.ts';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';

export type ComparedCharge = {
  chargeId: string;
  orderId: string;
  transactionKey: string | null;
  reference: string | null;
  amountCents: Cents;
  state: ChargeState;
  /** One of its refunds voided it. */
  isVoided: boolean;
  /** One of its refunds is in progress, so what the provider should show isn't known yet. */
  isMoving: boolean;
};

/**
 * The engine's clock may be ahead of `now()`, never behind. The second condition follows from the first and gives the
 * planner an estimate of the row count.
 */
const isOfLastDays = (days: number) => sql`
  c.created_at > (SELECT engine_now()) - make_interval(days => ${days})
  AND c.created_at > now() - make_interval(days => ${days})`;

/** Bounds how far back a late capture makes a comparison read; holds expire long before. */
const OLDEST_DAYS = 30;

/** Captured in these days, however long after its hold was made. */
const isCapturedInLastDays = (days: number) => sql`
  c.state = 'captured' AND c.captured_at > (SELECT engine_now()) - make_interval(days => ${days})
  AND ${isOfLastDays(OLDEST_DAYS)}`;

const compared = sql`
  c.id AS "chargeId", c.order_id AS "orderId", c.transaction_key AS "transactionKey", c.reference,
  c.amount_cents AS "amountCents", c.state,
  EXISTS (SELECT FROM refund r WHERE r.charge_id = c.id AND r.method = 'void' AND ${isMade('r')}) AS "isVoided",
  EXISTS (SELECT FROM refund r WHERE r.charge_id = c.id AND r.state IN ('sending', 'unknown')) AS "isMoving"`;

const asCompared = (row: ComparedCharge): ComparedCharge => ({ ...row, amountCents: cents(row.amountCents) });

export type ComparedAccount = {
  accountId: number;
  isCurrent: boolean;
  /** Not compared since yesterday, or not completely; or compared when the clock, set back, was ahead. */
  isDue: boolean;
};

/** Accounts in use, and replaced ones that still had charges in the period. */
export async function listComparedAccounts(
  db: Queryable,
  { days }: { days: number },
): Promise<ComparedAccount[]> {
  return query<ComparedAccount>(db)`
    SELECT m.id AS "accountId", m.replaced_at IS NULL AS "isCurrent",
           coalesce(b.due_at <= (SELECT engine_now()) OR b.ended_at > (SELECT engine_now()), true) AS "isDue"
      FROM merchant_account m LEFT JOIN book_comparison b ON b.merchant_account_id = m.id
     WHERE m.replaced_at IS NULL
        OR EXISTS (SELECT FROM charge c WHERE c.merchant_account_id = m.id AND ${isOfLastDays(days)})
        OR EXISTS (SELECT FROM charge c WHERE c.merchant_account_id = m.id AND ${isCapturedInLastDays(days)})
     ORDER BY m.id`;
}

/**
 * The accounts in use whose books were not compared in full, and since when: the provider didn't show everything, or no
 * comparison has ended since one was due, because it fails or nobody runs it.
 */
export const incompleteComparisons: SQL = sql`
  (SELECT coalesce(b.incomplete_since, b.due_at, m.created_at) AS since
     FROM merchant_account m LEFT JOIN book_comparison b ON b.merchant_account_id = m.id
    WHERE m.replaced_at IS NULL
      AND (b.incomplete_since IS NOT NULL
           OR coalesce(b.due_at, m.created_at) < engine_now() - interval '1 hour')) AS incomplete`;

/** When a complete comparison is due again, whatever time of day it was made. */
const NEXT_NIGHT = sql`date_bin('1 day', engine_now(), '2020-01-01T03:40:00Z') + interval '1 day'`;

/** Returns since when the account's books lack a complete comparison: since one was due, or this one if it came sooner. */
export async function recordAccountComparison(
  db: Queryable,
  {
    accountId,
    isComplete,
    againInSeconds,
  }: { accountId: number; isComplete: boolean; againInSeconds: number | null },
): Promise<string | null> {
  const due =
    againInSeconds === null ? NEXT_NIGHT : sql`engine_now() + make_interval(secs => ${againInSeconds})`;
  const rows = await query<{ since: string | null }>(db)`
    INSERT INTO book_comparison AS b (merchant_account_id, ended_at, is_complete, incomplete_since, due_at)
    VALUES (${accountId}, engine_now(), ${isComplete}, CASE WHEN NOT ${isComplete} THEN engine_now() END, ${due})
    ON CONFLICT (merchant_account_id) DO UPDATE
       SET ended_at = excluded.ended_at, is_complete = excluded.is_complete, due_at = excluded.due_at,
           incomplete_since = CASE WHEN NOT excluded.is_complete
                                   THEN coalesce(b.incomplete_since, least(b.due_at, engine_now())) END
    RETURNING to_json(incomplete_since)#>>'{}' AS since`;
  return onlyRow(rows).since;
}

/** Has the task compare these accounts next. */
export async function fallDue(db: Queryable, { accountIds }: { accountIds: number[] }): Promise<void> {
  await query(db)`
    UPDATE book_comparison SET due_at = engine_now()
     WHERE merchant_account_id = ANY(${listOf(accountIds, 'bigint')}) AND due_at > engine_now()`;
}

/** Captures that a list read at `before` must show; those of the last minutes may be too young for it. */
export async function listCapturedCharges(
  db: Queryable,
  { accountId, days, before }: { accountId: number; days: number; before: Date },
): Promise<ComparedCharge[]> {
  const rows = await query<ComparedCharge>(db)`
    SELECT ${compared} FROM charge c
     WHERE c.merchant_account_id = ${accountId}
       AND c.captured_at < ${before.toISOString()}::timestamptz - interval '15 minutes'
       AND ${isCapturedInLastDays(days)}`;
  return rows.map(asCompared);
}

/** When the oldest charge captured in these days was made: the list shows it there. */
export async function findOldestCaptured(
  db: Queryable,
  { accountId, days }: { accountId: number; days: number },
): Promise<Date | null> {
  const rows = await query<{ milliseconds: number | null }>(db)`
    SELECT extract(epoch FROM min(c.created_at))::float8 * 1000 AS milliseconds FROM charge c
     WHERE c.merchant_account_id = ${accountId} AND ${isCapturedInLastDays(days)}`;
  const { milliseconds } = onlyRow(rows);
  return milliseconds === null ? null : new Date(milliseconds);
}

export async function findByOrderIds(
  db: Queryable,
  orderIds: string[],
): Promise<Map<string, ComparedCharge>> {
  const rows = await query<ComparedCharge>(db)`
    SELECT ${compared} FROM charge c WHERE c.order_id = ANY(${listOf(orderIds, 'text')})`;
  return new Map(rows.map((row) => [row.orderId, asCompared(row)]));
}

/**
 * Keys of those rows whose transaction an accepted charge has, though they show another charge's order: in a conflict, the
 * provider gave one transaction to two orders.
 */
export async function findAcceptedElsewhere(
  db: Queryable,
  rows: Pick<TransactionRecord, 'transactionKey' | 'orderId'>[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const found = await query<{ key: string }>(db)`
    SELECT r.key
      FROM ${unnest(rows, { transactionKey: 'text', orderId: 'text' })} AS r (key, order_id)
      JOIN charge mine ON mine.order_id = r.order_id
      JOIN charge other ON other.merchant_account_id = mine.merchant_account_id AND other.transaction_key = r.key
     WHERE other.id <> mine.id AND charge_counts(other.state)`;
  return new Set(found.map(({ key }) => key));
}

/**
 * Which of these voided rows are late holds that an earlier comparison gave back and didn't live to store: nothing else
 * shows them any more.
 */
export async function findUntoldReleases(
  db: Queryable,
  voided: TransactionRecord[],
): Promise<TransactionRecord[]> {
  if (voided.length === 0) return [];
  const rows = await query<{ key: string }>(db)`
    SELECT v.key
      FROM ${unnest(voided, { transactionKey: 'text', orderId: 'text', reference: 'text' })} AS v (key, order_id, reference)
      JOIN charge c ON c.order_id = v.order_id
     WHERE EXISTS (SELECT FROM audit_event a
                    WHERE a.subject = concat('charge ', c.id) AND a.action = 'release late hold'
                      AND a.detail->>'transactionKey' = v.key
                    -- OFFSET 0 keeps this row by row on the index.
                    OFFSET 0)
       AND NOT EXISTS (SELECT FROM book_difference d
                        WHERE d.kind = 'late-hold-released' AND (d.order_id, d.reference) = (v.order_id, v.reference))`;
  const untold = new Set(rows.map(({ key }) => key));
  return voided.filter(({ transactionKey }) => untold.has(transactionKey));
}

export async function recordComparison(
  tx: Queryable,
  by: Actor,
  detail: { compared: number; isComplete: boolean; differences: number },
): Promise<void> {
  await recordAct(tx, by, { action: 'compare books', subject: 'books', detail });
}

/** Leases a charge that ended without taking money. Returns whether no other worker has it. */
export async function leaseEndedCharge(db: Queryable, { chargeId }: ComparedCharge): Promise<boolean> {
  const rows = await query(db)`
    UPDATE charge c SET lease_until = ${leaseEnd}, fence = c.fence + 1
      FROM payment_intent p
     WHERE c.id = ${chargeId} AND p.id = c.intent_id AND p.state IN ('abandoned', 'declined')
       AND c.state IN ('refused', 'released', 'absent')
       AND ${isUnleased('c.lease_until')}
    RETURNING c.id`;
  return rows.length === 1;
}
