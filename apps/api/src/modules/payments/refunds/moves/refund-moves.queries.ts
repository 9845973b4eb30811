import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { LEASE_SECONDS } from '../../../../db/clock/ahead.queries.ts';
import { listOf, query } from '../../../../db/query.ts';
import type { RefundState } from '../../../../db/schema/refunds.ts';
import { DEADLINE_SECONDS } from './refund-times.ts';
import type { RefundTransition } from './refund-transitions.ts';

/** A refund as a decision finds it, with its payment locked. */
export type DecidedRefund = {
  refundId: string;
  requestId: string;
  state: RefundState;
  amountCents: number;
  invoiceIds: number[];
  franchiseIds: number[];
};

export async function findRefund(tx: Queryable, refundId: string): Promise<DecidedRefund | undefined> {
  const [row] = await query<DecidedRefund>(tx)`
    SELECT r.id AS "refundId", r.request_id AS "requestId", r.state, r.amount_cents AS "amountCents",
           json_agg(i.id ORDER BY i.id) AS "invoiceIds", json_agg(DISTINCT i.franchise_id) AS "franchiseIds"
      FROM refund r
      JOIN refund_line l ON l.refund_id = r.id
      JOIN invoice i ON i.id = l.invoice_id
     WHERE r.id = ${refundId} GROUP BY r.id`;
  return row;
}

export type RefundTarget = {
  refundId: string;
  /** Of the worker that holds the lease. */
  fence?: number | undefined;
  /** Used with `as-told`. */
  againInSeconds?: number | undefined;
};

const UNSENT = sql`, method = NULL, sent_at = NULL, deadline_at = NULL, before_keys = '{}', answer_key = NULL,
  reference = NULL, batch_key = NULL, first_absent_at = NULL`;

/** The state in which a row of its request begins. */
const BEGINNING = sql`
  (SELECT CASE WHEN q.needs_approval AND q.approved_at IS NULL THEN 'requested' ELSE 'waiting' END
     FROM refund_request q WHERE q.id = refund.request_id)`;

function stateAfter({ to, unsent }: RefundTransition): SQL {
  if (to === 'as-before') return sql`state`;
  return unsent ? sql`CASE WHEN sent_at IS NULL THEN ${BEGINNING} ELSE ${to} END` : sql`${to}`;
}

const inSeconds = (seconds: number) => sql`engine_now() + make_interval(secs => ${seconds})`;

/** Schedules only rows that the sweep continues with; a row awaiting approval isn't due. */
function nextTry({ next, unsent }: RefundTransition, againInSeconds: number): SQL {
  switch (next) {
    case 'now':
      return unsent
        ? sql`CASE WHEN sent_at IS NULL AND ${BEGINNING} = 'requested' THEN NULL ELSE engine_now() END`
        : sql`engine_now()`;
    case 'at-its-deadline':
      return inSeconds(DEADLINE_SECONDS);
    case 'as-told':
      return inSeconds(againInSeconds);
    default:
      return sql`NULL`;
  }
}

/** Whoever sends a refund continues with it, so the lease starts over. */
function schedule(transition: RefundTransition, againInSeconds: number): SQL {
  const { next } = transition;
  if (next === 'as-before') return sql``;
  const lease = next === 'at-its-deadline' ? inSeconds(LEASE_SECONDS) : sql`NULL`;
  const review = next === 'by-a-person' ? sql`coalesce(review_since, engine_now())` : sql`NULL`;
  return sql`, next_try_at = ${nextTry(transition, againInSeconds)}, lease_until = ${lease}, review_since = ${review}
    ${next === 'now' ? sql`, attempts = 0` : sql``}`;
}

/** Moves one refund if it is in the right state and, for a sweep worker, still under its lease. Returns its new state. */
export async function moveRefund(
  tx: Queryable,
  { refundId, fence, againInSeconds = 0 }: RefundTarget,
  { transition, also }: { transition: RefundTransition; also?: SQL | undefined },
): Promise<RefundState | undefined> {
  const { from, to, only, unsends, stamps, once } = transition;
  const leaves = (state: RefundState) => to !== 'as-before' && from.includes(state);
  // Whatever starts a wait writes `waits_for`; leaving it clears it.
  const endsWait = leaves('waiting');
  const [row] = await query<{ state: RefundState }>(tx)`
    UPDATE refund SET state = ${stateAfter(transition)} ${schedule(transition, againInSeconds)}
           ${stamps ? sql`, ${sql.identifier(stamps)} = engine_now()` : sql``}
           ${unsends ? UNSENT : sql``}
           ${leaves('held') ? sql`, held_for = NULL` : sql``}
           ${endsWait ? sql`, waits_for = NULL` : sql``}
           ${also ? sql`, ${also}` : sql``}
     WHERE id = ${refundId} AND state = ANY(${listOf(from, 'text')})
       ${fence === undefined ? sql`` : sql`AND fence = ${fence}`}
       ${only ? sql`AND (sent_at IS NULL) = ${only === 'unsent'}` : sql``}
       ${once ? sql`AND undone_at IS NULL` : sql``}
    RETURNING state`;
  return row?.state;
}

/** Approves the whole request, unless its requester tries to. Returns its refunds that await approval. */
export async function storeApproval(
  tx: Queryable,
  { requestId, by }: { requestId: string; by: string },
): Promise<string[]> {
  await query(tx)`
    UPDATE refund_request SET approved_by = ${by}, approved_at = engine_now()
     WHERE id = ${requestId} AND needs_approval AND approved_at IS NULL AND actor <> ${by}`;
  const rows = await query<{ id: string }>(tx)`
    SELECT r.id FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE q.id = ${requestId} AND q.approved_at IS NOT NULL AND r.state = 'requested' ORDER BY r.id`;
  return rows.map(({ id }) => id);
}

type Owned = { refundId: string; transactionKey: string };

/** Whether the provider's refund belongs to another row. */
export async function isTaken(tx: Queryable, { refundId, transactionKey }: Owned): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM seen_refund WHERE transaction_key = ${transactionKey} AND refund_id <> ${refundId}`;
  return rows.length > 0;
}

/** Assigns the provider's refund to this row until that is undone. */
export async function ownSeenRefund(tx: Queryable, { refundId, transactionKey }: Owned): Promise<void> {
  await query(tx)`
    INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk, refund_id)
    SELECT ${transactionKey}, c.merchant_account_id, c.order_id, r.amount_cents, 'C', '', r.id
      FROM refund r JOIN charge c ON c.id = r.charge_id WHERE r.id = ${refundId}
    ON CONFLICT (transaction_key) DO UPDATE SET refund_id = excluded.refund_id`;
}

/** The charge's refunds that end with it if it isn't collected: nothing was sent for them. */
export async function listDroppable(tx: Queryable, { chargeId }: { chargeId: string }): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`
    SELECT id FROM refund
     WHERE charge_id = ${chargeId} AND state IN ('requested', 'waiting', 'held') AND sent_at IS NULL ORDER BY id`;
  return rows.map(({ id }) => id);
}
