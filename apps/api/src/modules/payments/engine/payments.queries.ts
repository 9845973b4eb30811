import { type SQL, sql } from 'drizzle-orm';
import { brokenConstraint, isInBriefTransaction, type Queryable } from '../../../db/client.ts';
import { isPastDeadline } from '../../../db/clock/ahead.queries.ts';
import { instantText, listOf, onlyRow, query } from '../../../db/query.ts';
import type { IntentState } from '../../../db/schema/payments.ts';
import type { SeenIntent } from '../epoch/books-memory.ts';
import { isClosed } from '../epoch/epoch.queries.ts';
import type { StoredOutcome } from './outcomes.ts';
import { type AnswerBefore, readToldBefore } from './read-told-before.ts';

export type IntentRow = {
  id: string;
  kind: 'guest' | 'portal' | 'card';
  userId: string | null;
  requestHash: string;
  state: IntentState;
  isExpired: boolean;
  outcome: StoredOutcome | null;
  payerEmail: string | null;
  /** The zip code with which a guest matched the invoice. */
  zipKeyShown: string | null;
};

const intentColumns = sql`
  id, kind, user_id AS "userId", request_hash AS "requestHash", state, ${isPastDeadline('deadline_at')} AS "isExpired",
  outcome, CASE WHEN outcome IS NULL AND response_status IS NOT NULL
                THEN json_build_object('status', response_status, 'body', response_body) END AS "toldBefore",
  payer_email AS "payerEmail", zip_key_shown AS "zipKeyShown"`;

type StoredIntent = IntentRow & { toldBefore: AnswerBefore | null };

function toIntent({ toldBefore, ...intent }: StoredIntent): IntentRow {
  return toldBefore ? { ...intent, outcome: readToldBefore(toldBefore) } : intent;
}

/** A stored idempotency key. The scope keeps one payer's answers out of another's reach. */
export type Idempotency = {
  scope: string;
  key: string | null;
  requestHash: string;
  /** The hash that the previous version computed, so that its payments are replayed too. */
  formerHash?: string;
};

export async function findIntentByKey(
  db: Queryable,
  { scope, key }: Pick<Idempotency, 'scope' | 'key'>,
): Promise<IntentRow | undefined> {
  const rows = await query<StoredIntent>(db, { plan: 'once' })`
    SELECT ${intentColumns} FROM payment_intent WHERE idem_scope = ${scope} AND idem_key = ${key}`;
  return rows.map(toIntent)[0];
}

export type PricedVersion = {
  invoiceId: number;
  franchiseId: number;
  workOrderNumber: number;
  version: number;
};

/** The invoice versions by which a payment was priced. */
export async function findPricedVersions(db: Queryable, intentId: string): Promise<PricedVersion[]> {
  return query<PricedVersion>(db)`
    SELECT i.id AS "invoiceId", i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber",
           a.priced_version AS version
      FROM charge c JOIN charge_allocation a ON a.charge_id = c.id JOIN invoice i ON i.id = a.invoice_id
     WHERE c.intent_id = ${intentId} ORDER BY i.id`;
}

/**
 * The first lock of every change to a payment. Reads the time outside the statement that waits; inside, it would be
 * the time before the wait.
 */
export async function lockIntent(tx: Queryable, intentId: string): Promise<IntentRow> {
  const rows = await query<StoredIntent>(tx, { plan: 'once' })`
    WITH payment_intent AS MATERIALIZED (SELECT * FROM payment_intent WHERE id = ${intentId} FOR UPDATE)
    SELECT ${intentColumns} FROM payment_intent`;
  const [intent] = rows.map(toIntent);
  if (!intent) throw new Error(`payment ${intentId} is not there`);
  return intent;
}

/** Locks in the order of ids, as a claim does. */
export async function lockInvoicesOf(tx: Queryable, intentId: string): Promise<void> {
  await query(tx, { plan: 'once' })`
    SELECT FROM invoice WHERE id = ANY(ARRAY(SELECT invoice_id FROM invoice_claim WHERE intent_id = ${intentId}))
     ORDER BY id FOR UPDATE`;
}

/** An invoice's location when its payment began, and the zip code there in its compared form. */
export type ShownPlace = { locationId: number; zipKey: string };

type NewIntent = SeenIntent & {
  orderPrefix: string;
  /** Payments are closed until the provider's list was looked at: this may be another database than before. */
  isClosed: boolean;
  hasFoundPayments: boolean;
};

/** Whether the payment wasn't begun because its payer's account was closed at that moment. */
export const isOfClosedAccount = (error: unknown): boolean => brokenConstraint(error) === 'account_is_open';

type IntentToStore = {
  id: string;
  kind: IntentRow['kind'];
  userId: string | null;
  idempotency: Idempotency;
  seconds: number;
  payerEmail: string | null;
  /** For a guest who named the matching zip code. */
  shown?: ShownPlace | null;
  publicUrl: string;
  /** Whose invoices are paid; empty for a card check. */
  franchiseIds: number[];
  /** The newest payment that this process knows to be committed. */
  seen: SeenIntent | null;
};

/** Stores nothing if the key already has a payment, or unless `when` holds. */
function storeIntent(intent: IntentToStore, when = sql`true`): SQL {
  const { scope, key, requestHash } = intent.idempotency;
  const { shown = null } = intent;
  return sql`
    INSERT INTO payment_intent (id, kind, user_id, idem_scope, idem_key, request_hash, deadline_at, payer_email,
                                zip_shown, zip_key_shown, location_shown)
    SELECT ${intent.id}::uuid, ${intent.kind}::text, ${intent.userId}::uuid, ${scope}::text, ${key}::text,
           ${requestHash}::text, engine_now() + make_interval(secs => ${intent.seconds}), ${intent.payerEmail}::text,
           ${shown !== null}::boolean, ${shown?.zipKey ?? null}::text, ${shown?.locationId ?? null}::bigint
     WHERE ${when}
    ON CONFLICT (idem_scope, idem_key) DO NOTHING
    RETURNING id AS "intentId", extract(epoch FROM created_at)::float8 * 1000 AS "createdAtMilliseconds",
      (SELECT order_prefix FROM deployment WHERE public_url = ${intent.publicUrl}) AS "orderPrefix",
      ${isClosed(intent)} AS "isClosed",
      EXISTS (SELECT FROM found_payment WHERE settled_at IS NULL) AS "hasFoundPayments"`;
}

/** Returns nothing if the key already has a payment. */
export async function insertIntent(tx: Queryable, intent: IntentToStore): Promise<NewIntent | undefined> {
  const [row] = await query<NewIntent>(tx, { plan: 'once' })`${storeIntent(intent)}`;
  return row;
}

/**
 * Stores a payment with its claims. `claimed`: how many of the invoices are now claimed; another payment holds a live
 * claim on the rest. Returns nothing if the key already has a payment, and then claims nothing. May be sent together
 * with the BEGIN of its brief transaction, as it writes only inside of one.
 */
export async function insertClaimingIntent(
  tx: Queryable,
  { invoiceIds, ...intent }: IntentToStore & { invoiceIds: number[] },
): Promise<(NewIntent & { claimed: number }) | undefined> {
  const [row] = await query<NewIntent & { claimed: number }>(tx, { plan: 'once' })`
    WITH intent AS (${storeIntent(intent, isInBriefTransaction)}), claim AS (
      INSERT INTO invoice_claim (invoice_id, intent_id)
      SELECT wanted.id, intent."intentId" FROM intent, unnest(${listOf(invoiceIds, 'bigint')}) AS wanted (id)
       ORDER BY wanted.id
      ON CONFLICT (invoice_id) WHERE state = 'live' DO NOTHING
      RETURNING invoice_id)
    SELECT intent.*, (SELECT count(*) FROM claim)::integer AS claimed FROM intent`;
  return row;
}

export type BlockingClaim = { intentId: string; invoiceId: number; isExpired: boolean };

export async function findBlockingClaims(
  tx: Queryable,
  { intentId, invoiceIds }: { intentId: string; invoiceIds: number[] },
): Promise<BlockingClaim[]> {
  return query<BlockingClaim>(tx)`
    SELECT c.intent_id AS "intentId", c.invoice_id AS "invoiceId", ${isPastDeadline('p.deadline_at')} AS "isExpired"
      FROM invoice_claim c JOIN payment_intent p ON p.id = c.intent_id
     WHERE c.state = 'live' AND c.intent_id <> ${intentId}
       AND c.invoice_id = ANY(${listOf(invoiceIds, 'bigint')})
     ORDER BY c.invoice_id`;
}

type ChangedInvoice = { workOrderNumber: number; balanceCents: number };

/**
 * What an acceptance goes by once it has its locks: the time, as it may have waited for them past midnight, and the first
 * invoice that changed since it was priced.
 */
export async function readAcceptance(
  tx: Queryable,
  intentId: string,
): Promise<{ at: string; changed: ChangedInvoice | null }> {
  return onlyRow(
    await query<{ at: string; changed: ChangedInvoice | null }>(tx, { plan: 'once' })`
    SELECT ${instantText(sql`engine_now()`)} AS at, (
      SELECT json_build_object('workOrderNumber', i.work_order_number, 'balanceCents', i.balance_cents)
        FROM charge c JOIN charge_allocation a ON a.charge_id = c.id JOIN invoice i ON i.id = a.invoice_id
       WHERE c.intent_id = ${intentId} AND i.version <> a.priced_version
       ORDER BY i.id LIMIT 1) AS changed`,
  );
}

/** A payment stays on the day of its decision; what a failed capture replaces later is only its outcome. */
export async function storeDecision(
  tx: Queryable,
  { intentId, state, outcome }: { intentId: string; state: IntentState; outcome: StoredOutcome },
): Promise<void> {
  await query(tx, { plan: 'once' })`
    UPDATE payment_intent
       SET state = ${state}, decided_at = coalesce(decided_at, engine_now()),
           outcome = ${JSON.stringify(outcome)}::jsonb
     WHERE id = ${intentId}`;
}

/** Ends the payment's live claims. */
export const claimsEnd = (intentId: string, as: 'paid' | 'freed'): SQL => sql`
  UPDATE invoice_claim SET state = ${as} WHERE intent_id = ${intentId} AND state = 'live'`;

export async function freeClaims(tx: Queryable, { intentId }: { intentId: string }): Promise<void> {
  await query(tx, { plan: 'once' })`${claimsEnd(intentId, 'freed')}`;
}

/** Undecided payments past their deadline, whatever the states of their charges. */
export async function listExpiredIntents(db: Queryable, { limit = 1000 } = {}): Promise<string[]> {
  const rows = await query<{ id: string }>(db)`
    SELECT id FROM payment_intent
     WHERE state = 'undecided' AND ${isPastDeadline('deadline_at')}
     ORDER BY deadline_at LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
