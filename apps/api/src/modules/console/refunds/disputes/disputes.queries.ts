import { type Cents, cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../../db/client.ts';
import { onlyRow, query } from '../../../../db/query.ts';

/** A charge of which the caller sees a share, and what of it the caller sees. */
export async function findDisputable(
  db: Queryable,
  { actorId, chargeId }: { actorId: string; chargeId: string },
): Promise<{ paymentId: string; franchiseIds: number[]; amountCents: Cents } | undefined> {
  const rows = await query<{ paymentId: string; franchiseIds: number[]; amountCents: number }>(db)`
    SELECT c.intent_id AS "paymentId", json_agg(s.franchise_id) AS "franchiseIds", sum(s.amount_cents)::bigint AS "amountCents"
      FROM payment_share s
      JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
      JOIN charge c ON c.id = s.charge_id AND c.state IN ('accepted', 'captured')
     WHERE s.charge_id = ${chargeId} GROUP BY c.id`;
  const [row] = rows;
  return row && { ...row, amountCents: cents(row.amountCents) };
}

export async function insertDispute(
  tx: Queryable,
  dispute: {
    chargeId: string;
    amountCents: Cents;
    openedOn: string;
    answerBy: string | null;
    note: string | null;
  },
): Promise<string> {
  const row = onlyRow(
    await query<{ id: string }>(tx)`
    INSERT INTO dispute (charge_id, amount_cents, opened_on, answer_by, note)
    VALUES (${dispute.chargeId}, ${dispute.amountCents}, ${dispute.openedOn}, ${dispute.answerBy}, ${dispute.note})
    RETURNING id`,
  );
  return row.id;
}
