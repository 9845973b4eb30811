import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query, unnest } from '../../../db/query.ts';

export type UnmailedCredit = { chargeId: string; invoiceId: number };

export async function insertUnmailedCredits(tx: Queryable, credits: UnmailedCredit[]): Promise<void> {
  await query(tx, { plan: 'once' })`
    INSERT INTO unmailed_credit (charge_id, invoice_id)
    SELECT charge_id, invoice_id
      FROM ${unnest(credits, { chargeId: 'uuid', invoiceId: 'bigint' })} AS given (charge_id, invoice_id)
    ON CONFLICT DO NOTHING`;
}

export type UnseenCredit = {
  creditId: number;
  franchiseId: number;
  workOrderNumber: number;
  /** Negative, including its tax. */
  creditCents: number;
  note: string;
  at: string;
};

/**
 * Credits `u` that could not be mailed and that nobody has looked at, with their charges `c`. Leaves out credits whose
 * payment failed after all.
 */
export const creditsToLookAt = sql`
  unmailed_credit u JOIN charge c ON c.id = u.charge_id AND charge_counts(c.state) AND u.seen_at IS NULL`;

/** Oldest first. */
export async function selectUnseenCredits(db: Queryable): Promise<UnseenCredit[]> {
  return query<UnseenCredit>(db)`
    SELECT u.id AS "creditId", i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber",
           a.services_cents + a.services_tax_cents AS "creditCents", coalesce(a.services_note, '') AS note,
           to_json(u.created_at)#>>'{}' AS at
      FROM ${creditsToLookAt}
      JOIN charge_allocation a ON a.charge_id = u.charge_id AND a.invoice_id = u.invoice_id
      JOIN invoice i ON i.id = u.invoice_id
     ORDER BY u.id LIMIT 1000`;
}

export type CreditLook = { chargeId: string; invoiceId: number; actorId: string; note: string | null };

/** The credit with this id, if it couldn't be mailed and nobody has looked at it. */
export async function findUnseenCredit(
  db: Queryable,
  { creditId }: { creditId: number },
): Promise<UnmailedCredit | undefined> {
  const [credit] = await query<UnmailedCredit>(db)`
    SELECT charge_id AS "chargeId", invoice_id AS "invoiceId" FROM unmailed_credit
     WHERE id = ${creditId} AND seen_at IS NULL`;
  return credit;
}

/** Also takes the credit off those that couldn't be mailed. False if somebody looked before. */
export async function insertCreditLook(tx: Queryable, look: CreditLook): Promise<boolean> {
  const rows = await query(tx)`
    WITH look AS (
      INSERT INTO credit_look (charge_id, invoice_id, actor_id, note)
      VALUES (${look.chargeId}, ${look.invoiceId}, ${look.actorId}, ${look.note})
      ON CONFLICT DO NOTHING RETURNING charge_id),
    seen AS (
      UPDATE unmailed_credit SET seen_at = engine_now()
       WHERE charge_id = ${look.chargeId} AND invoice_id = ${look.invoiceId} AND seen_at IS NULL)
    SELECT charge_id FROM look`;
  return rows.length > 0;
}
