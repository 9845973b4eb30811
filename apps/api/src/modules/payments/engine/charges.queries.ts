import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query, unnest } from '../../../db/query.ts';
import type { chargeAllocation } from '../../../db/schema/payments.ts';
import { inLastTrip } from '../../../db/statements/in-one-trip.ts';
import { type AcceptedTerms, agreementOf } from '../../terms/terms.queries.ts';
import { bookingOf } from './ledger.queries.ts';
import { claimsEnd } from './payments.queries.ts';
import type { Arrival, Transition } from './transitions.ts';

/** The provider's answer that holds money. */
export type Approval = { transactionKey: string; reference: string; maskedCard: string; cardBrand: string };

export type ApprovedCharge = { chargeId: string } & Approval;

/** A claim's last statement: it shares one round trip with its COMMIT. A card check has no allocations. */
export async function insertCharges(
  tx: Queryable,
  {
    charges,
    allocations,
  }: {
    charges: {
      id: string;
      intentId: string;
      merchantAccountId: number;
      amountCents: number;
      orderId: string;
    }[];
    allocations: (typeof chargeAllocation.$inferInsert)[];
  },
): Promise<void> {
  const charged = unnest(charges, {
    id: 'uuid',
    intentId: 'uuid',
    merchantAccountId: 'bigint',
    amountCents: 'bigint',
    orderId: 'text',
  });
  const allocated = unnest(allocations, {
    chargeId: 'uuid',
    invoiceId: 'bigint',
    invoiceCents: 'bigint',
    taxCents: 'bigint',
    servicesCents: 'bigint',
    servicesTaxCents: 'bigint',
    tipCents: 'bigint',
    servicesNote: 'text',
    pricedVersion: 'integer',
  });
  await inLastTrip(tx, [
    () => query(tx, { plan: 'once' })`
      WITH stored AS (
        INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id) SELECT * FROM ${charged})
      INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                     services_tax_cents, tip_cents, services_note, priced_version)
      SELECT * FROM ${allocated}`,
  ]);
}

/** The provider may still be working on a call that we gave up on. */
export const LOOK_UP_SECONDS = 5;

/** When to look next, as SQL, for each `next` in the table of transitions. */
const NEXT_TRY: Record<Arrival['next'], SQL> = {
  now: sql`engine_now()`,
  'once-listed': sql`
    engine_now() + make_interval(secs => CASE WHEN transaction_key IS NULL THEN ${LOOK_UP_SECONDS}::float8 ELSE 0 END)`,
  'by-a-person': sql`NULL`,
  never: sql`NULL`,
};

/** A new state starts with no attempts and no lease. */
const arrive = (
  { to, next }: Arrival,
  { stamps }: Pick<Transition, 'stamps'> = {},
  at = sql`engine_now()`,
) => sql`
  state = ${to}, next_try_at = ${NEXT_TRY[next]}, lease_until = NULL, attempts = 0,
  review_since = ${next === 'by-a-person' ? sql`coalesce(review_since, engine_now())` : sql`NULL`}
  ${stamps ? sql`, ${sql.identifier(stamps)} = ${at}` : sql``}`;

const isIn = (states: Transition['from']) => sql`state = ANY(${listOf(states, 'text')})`;

export const withApproval = ({ transactionKey, reference, maskedCard, cardBrand }: Approval): SQL => sql`
  transaction_key = ${transactionKey}, reference = ${reference},
  masked_card = ${maskedCard}, card_brand = ${cardBrand}`;

type Move = { chargeId: string; fence?: number | undefined; transition: Transition };

/** In the right state and, for a sweep worker, still under its lease. */
const isMovable = ({ chargeId, fence, transition }: Move) => sql`
  id = ${chargeId} AND ${isIn(transition.from)}
  AND (${fence ?? null}::bigint IS NULL OR fence = ${fence ?? null})
  AND (transaction_key IS NOT NULL OR NOT ${transition.onlyWithKey ?? false})`;

/** Moves one charge if it may be moved. Returns the charge's account. */
export async function moveCharge(
  tx: Queryable,
  { arrival, also, ...move }: Move & { arrival: Arrival; also?: SQL },
): Promise<{ accountId: number } | undefined> {
  const [row] = await query<{ accountId: number }>(tx, { plan: 'once' })`
    UPDATE charge SET ${arrive(arrival, move.transition)} ${also ? sql`, ${also}` : sql``}
     WHERE ${isMovable(move)}
    RETURNING merchant_account_id AS "accountId"`;
  return row;
}

/**
 * The same as a commit of its own, for a payment that is decided. Locks the payment before the charge, as every change
 * does: Postgres locks the charge once the joined row is there. After a wait it judges both rows once more; a charge that
 * could not be moved before the wait stays as it is, for the next look.
 */
export async function moveChargeAlone(
  db: Queryable,
  { intentId, ...move }: Move & { intentId: string },
): Promise<{ accountId: number } | undefined> {
  const { transition } = move;
  const [row] = await query<{ accountId: number }>(db, { plan: 'once' })`
    WITH payment AS MATERIALIZED (
      SELECT id AS payment_id, state AS payment_state FROM payment_intent WHERE id = ${intentId} FOR UPDATE)
    UPDATE charge SET ${arrive(transition, transition)} FROM payment
     WHERE intent_id = payment_id AND payment_state <> 'undecided' AND ${isMovable(move)}
    RETURNING merchant_account_id AS "accountId"`;
  return row;
}

/** Whether the charge already stores this very transaction's approval. */
export async function isApprovalStored(
  tx: Queryable,
  { chargeId, transactionKey }: { chargeId: string; transactionKey: string },
): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM charge WHERE id = ${chargeId} AND state = 'authorised' AND transaction_key = ${transactionKey}`;
  return rows.length === 1;
}

/** Whether the transaction already belongs to another charge. */
export async function isKeyTaken(
  tx: Queryable,
  { chargeId, transactionKey, reference }: { chargeId: string; transactionKey: string; reference: string },
): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM charge mine JOIN charge other ON other.merchant_account_id = mine.merchant_account_id
     WHERE mine.id = ${chargeId} AND other.id <> mine.id
       AND (other.transaction_key = ${transactionKey} OR other.reference = ${reference})
     LIMIT 1`;
  return rows.length === 1;
}

export const withHold = (hold: { transactionKey: string; reference: string }): SQL => sql`
  transaction_key = ${hold.transactionKey}, reference = ${hold.reference}`;

/**
 * Accepts all charges of a payment, storing the approval of the one still authorising. The same statement books them, ends
 * the payment's claims and records the terms that its invoices rest on. Returns the accounts of the charges; `null` unless
 * all are accepted now.
 */
export async function acceptCharges(
  tx: Queryable,
  {
    intentId,
    at,
    approved,
    legal,
    transition,
  }: {
    intentId: string;
    at: string;
    approved: ApprovedCharge | null;
    legal: AcceptedTerms | null;
    transition: Transition;
  },
): Promise<number[] | null> {
  const which = approved
    ? sql`id = ${approved.chargeId} AND intent_id = ${intentId} AND state = 'authorising'`
    : sql`intent_id = ${intentId} AND state = 'authorised'`;
  const accepted = sql`accepted`;
  const rows = await query<{ accountId: number; count: number }>(tx, { plan: 'once' })`
    WITH accepted AS (
      UPDATE charge SET ${arrive(transition, transition, sql`${at}::timestamptz`)}${approved ? sql`, ${withApproval(approved)}` : sql``}
       WHERE ${which}
      RETURNING id, intent_id, merchant_account_id, accepted_at),
    booked AS (${bookingOf(accepted)}),
    ended AS (${claimsEnd(intentId, 'paid')})
    ${legal ? sql`, agreed AS (${agreementOf(accepted, legal)})` : sql``}
    SELECT merchant_account_id AS "accountId",
           (SELECT count(*) FROM charge WHERE intent_id = ${intentId})::integer AS count
      FROM accepted`;
  const areAll = rows.length > 0 && rows.length === rows[0]?.count;
  return areAll ? rows.map(({ accountId }) => accountId) : null;
}

/** Returns the accounts that may hold money for this payment. */
export async function abandonCharges(
  tx: Queryable,
  {
    intentId,
    refused,
    transition,
    other,
  }: { intentId: string; refused: readonly string[]; transition: Transition; other: Arrival },
): Promise<number[]> {
  const open = sql`intent_id = ${intentId} AND ${isIn(transition.from)}`;
  const ids = listOf(refused, 'uuid');
  await query(tx)`UPDATE charge SET ${arrive(other)} WHERE ${open} AND id = ANY(${ids})`;
  const rows = await query<{ accountId: number }>(tx)`
    UPDATE charge SET ${arrive(transition)} WHERE ${open} AND id <> ALL(${ids})
    RETURNING merchant_account_id AS "accountId"`;
  return rows.map(({ accountId }) => accountId);
}

type Leased = { chargeId: string; fence: number };

/** Stores when a capture was first called impossible. */
export async function noteImpossible(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await query(db)`
    UPDATE charge SET first_impossible_at = least(first_impossible_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}

/** Stores when a complete listing first lacked the charge. */
export async function noteAbsence(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await query(db)`
    UPDATE charge SET first_absent_listing_at = least(first_absent_listing_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}

/** Puts a charge on the review list; the sweep keeps working on it. */
export async function putInReview(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await query(db)`
    UPDATE charge SET review_since = coalesce(review_since, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}
