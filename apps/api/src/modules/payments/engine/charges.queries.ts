import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { executePrepared } from '../../../db/execute-prepared.ts';
import { inOneTrip } from '../../../db/in-one-trip.ts';
import { type ChargeState, charge, chargeAllocation } from '../../../db/schema/payments.ts';

/** The provider's answer that holds money. */
export type Approval = { transactionKey: string; reference: string; maskedCard: string; cardBrand: string };

export type ApprovedCharge = { chargeId: string } & Approval;

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
  await inOneTrip(tx, [
    async () => await tx.insert(charge).values(charges),
    async () => allocations.length > 0 && (await tx.insert(chargeAllocation).values(allocations)),
  ]);
}

const DUE_NOW = sql`engine_now()`;
/** The provider may still be working on a call that we have given up on. */
export const LOOK_UP_SECONDS = 5;
const LOOK_UP_SOON = sql`engine_now() + make_interval(secs => ${LOOK_UP_SECONDS})`;

/**
 * When the sweep has to look at a charge that has just come into a state; never, where nothing is left to do. A state
 * starts with no attempts and no lease.
 */
const NEXT_TRY: Record<ChargeState, SQL> = {
  authorising: sql`NULL`,
  authorised: sql`NULL`,
  accepted: DUE_NOW,
  captured: sql`NULL`,
  reversing: DUE_NOW,
  capture_failed: sql`NULL`,
  refused: sql`NULL`,
  abandoned: sql`CASE WHEN transaction_key IS NULL THEN ${LOOK_UP_SOON} ELSE ${DUE_NOW} END`,
  releasing: DUE_NOW,
  released: sql`NULL`,
  absent: sql`NULL`,
  conflict: sql`NULL`,
  unresolved: sql`NULL`,
};

const REVIEWED: readonly ChargeState[] = ['conflict', 'unresolved'];

const arrive = (state: ChargeState) => sql`
  state = ${state}, next_try_at = ${NEXT_TRY[state]}, lease_until = NULL, attempts = 0,
  review_since = ${REVIEWED.includes(state) ? sql`coalesce(review_since, engine_now())` : sql`NULL`}`;

const storeApproval = ({ transactionKey, reference, maskedCard, cardBrand }: Approval) => sql`
  transaction_key = ${transactionKey}, reference = ${reference},
  masked_card = ${maskedCard}, card_brand = ${cardBrand}`;

/** Moves one charge, if it is in one of the states and, for a worker of the sweep, still leased to it. */
export async function moveCharge(
  tx: Queryable,
  {
    chargeId,
    fence,
    from,
    to,
    also,
    onlyWithKey = false,
  }: {
    chargeId: string;
    fence?: number | undefined;
    from: readonly ChargeState[];
    to: ChargeState;
    also?: SQL;
    onlyWithKey?: boolean;
  },
): Promise<boolean> {
  const rows = await executePrepared(
    tx,
    sql`
    UPDATE charge SET ${arrive(to)} ${also ? sql`, ${also}` : sql``}
     WHERE id = ${chargeId} AND state = ANY(${sql.param([...from])}::text[])
       AND (${fence ?? null}::bigint IS NULL OR fence = ${fence ?? null})
       AND (transaction_key IS NOT NULL OR NOT ${onlyWithKey})
    RETURNING id`,
  );
  return rows.length === 1;
}

/** Whether a charge is authorised by this very transaction. */
export async function isApprovalStored(
  tx: Queryable,
  { chargeId, transactionKey }: { chargeId: string; transactionKey: string },
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT FROM charge WHERE id = ${chargeId} AND state = 'authorised' AND transaction_key = ${transactionKey}`);
  return rows.length === 1;
}

/** Whether a transaction is another charge's already. */
export async function isKeyTaken(
  tx: Queryable,
  { chargeId, transactionKey, reference }: { chargeId: string; transactionKey: string; reference: string },
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT FROM charge mine JOIN charge other ON other.merchant_account_id = mine.merchant_account_id
     WHERE mine.id = ${chargeId} AND other.id <> mine.id
       AND (other.transaction_key = ${transactionKey} OR other.reference = ${reference})
     LIMIT 1`);
  return rows.length === 1;
}

export const withApproval = (approval: Approval): SQL => storeApproval(approval);

export const withHold = (hold: { transactionKey: string; reference: string }): SQL => sql`
  transaction_key = ${hold.transactionKey}, reference = ${hold.reference}`;

/** Returns whether every charge of the payment is accepted now. The one still authorising has its approval with it. */
export async function acceptCharges(
  tx: Queryable,
  { intentId, approved }: { intentId: string; approved: ApprovedCharge | null },
): Promise<boolean> {
  const which = approved
    ? sql`id = ${approved.chargeId} AND intent_id = ${intentId} AND state = 'authorising'`
    : sql`intent_id = ${intentId} AND state = 'authorised'`;
  const rows = await executePrepared<{ count: number }>(
    tx,
    sql`
    UPDATE charge SET ${arrive('accepted')}, accepted_at = engine_now()
           ${approved ? sql`, ${storeApproval(approved)}` : sql``}
     WHERE ${which}
    RETURNING (SELECT count(*) FROM charge other WHERE other.intent_id = charge.intent_id)::integer AS count`,
  );
  return rows.length > 0 && rows.length === rows[0]?.count;
}

/** Returns how many of them may have a hold to look for. */
export async function abandonCharges(
  tx: Queryable,
  { intentId, refused }: { intentId: string; refused: readonly string[] },
): Promise<number> {
  const open = sql`intent_id = ${intentId} AND state IN ('authorising', 'authorised')`;
  const ids = sql`${sql.param([...refused])}::uuid[]`;
  await tx.execute(sql`UPDATE charge SET ${arrive('refused')} WHERE ${open} AND id = ANY(${ids})`);
  const { rows } = await tx.execute(sql`
    UPDATE charge SET ${arrive('abandoned')} WHERE ${open} AND id <> ALL(${ids}) RETURNING id`);
  return rows.length;
}

type Leased = { chargeId: string; fence: number };

/** Remembers when a capture was called impossible for the first time. */
export async function noteImpossible(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await db.execute(sql`
    UPDATE charge SET first_impossible_at = coalesce(first_impossible_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`);
}

/** Remembers the first complete listing that did not show a charge. */
export async function noteAbsence(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await db.execute(sql`
    UPDATE charge SET first_absent_listing_at = coalesce(first_absent_listing_at, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`);
}

/** Shows a charge to a person, while the sweep goes on with it. */
export async function putInReview(db: Queryable, { chargeId, fence }: Leased): Promise<void> {
  await db.execute(sql`
    UPDATE charge SET review_since = coalesce(review_since, engine_now())
     WHERE id = ${chargeId} AND fence = ${fence}`);
}
