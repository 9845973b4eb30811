import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query, unnest } from '../../../db/query.ts';
import type { chargeAllocation } from '../../../db/schema/payments.ts';
import { inLastTrip } from '../../../db/statements/in-one-trip.ts';
import type { Arrival, Transition } from './transitions.ts';

/** The provider's answer that holds money. */
export type Approval = { transactionKey: string; reference: string; maskedCard: string; cardBrand: string };

export type ApprovedCharge = { chargeId: string } & Approval;

/** A claim's last statements: they share one round trip with its COMMIT. */
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
  await inLastTrip(tx, [
    () =>
      query(tx, { plan: 'once' })`
        INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id)
        SELECT * FROM ${unnest(charges, {
          id: 'uuid',
          intentId: 'uuid',
          merchantAccountId: 'bigint',
          amountCents: 'bigint',
          orderId: 'text',
        })}`,
    async () =>
      allocations.length > 0 &&
      (await query(tx, { plan: 'once' })`
        INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                       services_tax_cents, tip_cents, services_note, priced_version)
        SELECT * FROM ${unnest(allocations, {
          chargeId: 'uuid',
          invoiceId: 'bigint',
          invoiceCents: 'bigint',
          taxCents: 'bigint',
          servicesCents: 'bigint',
          servicesTaxCents: 'bigint',
          tipCents: 'bigint',
          servicesNote: 'text',
          pricedVersion: 'integer',
        })}`),
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
const arrive = ({ to, next }: Arrival, { stamps }: Pick<Transition, 'stamps'> = {}) => sql`
  state = ${to}, next_try_at = ${NEXT_TRY[next]}, lease_until = NULL, attempts = 0,
  review_since = ${next === 'by-a-person' ? sql`coalesce(review_since, engine_now())` : sql`NULL`}
  ${stamps ? sql`, ${sql.identifier(stamps)} = engine_now()` : sql``}`;

const isIn = (states: Transition['from']) => sql`state = ANY(${listOf(states, 'text')})`;

const storeApproval = ({ transactionKey, reference, maskedCard, cardBrand }: Approval) => sql`
  transaction_key = ${transactionKey}, reference = ${reference},
  masked_card = ${maskedCard}, card_brand = ${cardBrand}`;

/**
 * Moves one charge if it is in the right state and, for a sweep worker, still under its lease.
 * Returns the charge's account.
 */
export async function moveCharge(
  tx: Queryable,
  {
    chargeId,
    fence,
    transition,
    arrival,
    also,
  }: {
    chargeId: string;
    fence?: number | undefined;
    transition: Transition;
    arrival: Arrival;
    also?: SQL;
  },
): Promise<{ accountId: number } | undefined> {
  const [row] = await query<{ accountId: number }>(tx, { plan: 'once' })`
    UPDATE charge SET ${arrive(arrival, transition)} ${also ? sql`, ${also}` : sql``}
     WHERE id = ${chargeId} AND ${isIn(transition.from)}
       AND (${fence ?? null}::bigint IS NULL OR fence = ${fence ?? null})
       AND (transaction_key IS NOT NULL OR NOT ${transition.onlyWithKey ?? false})
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

export const withApproval = (approval: Approval): SQL => storeApproval(approval);

export const withHold = (hold: { transactionKey: string; reference: string }): SQL => sql`
  transaction_key = ${hold.transactionKey}, reference = ${hold.reference}`;

/** Accepts all charges of a payment, storing the approval of the one still authorising. Returns their accounts. */
export async function acceptCharges(
  tx: Queryable,
  {
    intentId,
    approved,
    transition,
  }: { intentId: string; approved: ApprovedCharge | null; transition: Transition },
): Promise<number[] | null> {
  const which = approved
    ? sql`id = ${approved.chargeId} AND intent_id = ${intentId} AND state = 'authorising'`
    : sql`intent_id = ${intentId} AND state = 'authorised'`;
  const rows = await query<{ accountId: number; count: number }>(tx, { plan: 'once' })`
    UPDATE charge SET ${arrive(transition, transition)}
           ${approved ? sql`, ${storeApproval(approved)}` : sql``}
     WHERE ${which}
    RETURNING merchant_account_id AS "accountId",
      (SELECT count(*) FROM charge other WHERE other.intent_id = charge.intent_id)::integer AS count`;
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
    UPDATE charge SET first_impossible_at = coalesce(first_impossible_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}

/** Stores when a complete listing first lacked the charge. */
export async function noteAbsence(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await query(db)`
    UPDATE charge SET first_absent_listing_at = coalesce(first_absent_listing_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}

/** Puts a charge on the review list; the sweep keeps working on it. */
export async function putInReview(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await query(db)`
    UPDATE charge SET review_since = coalesce(review_since, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`;
}
