import { type Actor, recordAct } from '../../../db/audit.queries.ts';
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

/** Oldest first. Leaves out credits whose payment failed after all. */
export async function selectUnseenCredits(db: Queryable): Promise<UnseenCredit[]> {
  return query<UnseenCredit>(db)`
    SELECT u.id AS "creditId", i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber",
           a.services_cents + a.services_tax_cents AS "creditCents", coalesce(a.services_note, '') AS note,
           to_json(u.created_at)#>>'{}' AS at
      FROM unmailed_credit u
      JOIN charge c ON c.id = u.charge_id AND charge_counts(c.state)
      JOIN charge_allocation a ON a.charge_id = u.charge_id AND a.invoice_id = u.invoice_id
      JOIN invoice i ON i.id = u.invoice_id
     WHERE u.seen_at IS NULL ORDER BY u.id LIMIT 1000`;
}

/** Returns whether there was such an unseen credit. */
export async function markCreditSeen(
  tx: Queryable,
  { creditId, actor }: { creditId: number; actor: Actor },
): Promise<boolean> {
  const rows = await query<{ chargeId: string }>(tx)`
    UPDATE unmailed_credit SET seen_at = clock_timestamp()
     WHERE id = ${creditId} AND seen_at IS NULL RETURNING charge_id AS "chargeId"`;
  if (rows.length === 0) return false;
  await recordAct(tx, actor, {
    action: 'acknowledge credit',
    subject: `credit ${creditId}`,
    detail: { rows },
  });
  return true;
}
