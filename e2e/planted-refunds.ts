import type { Office } from './support/console/office.ts';
import { inDatabase } from './support/database.ts';

/**
 * A refund of 20.00 of each charge of the office's only payment, asked for at once, which waits to be sent or approved,
 * and which nothing works on. Answers the id of one.
 */
export async function plantRefund(
  { franchiseId }: Office,
  { needsApproval = false }: { needsApproval?: boolean } = {},
): Promise<string> {
  return inDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(WAITING, [franchiseId, needsApproval]);
    if (!rows[0]) throw new Error(`there is nothing to refund at franchise ${franchiseId}`);
    return rows[0].id;
  });
}

/** What becomes of it: one change after the other, as its states allow. */
export async function changeRefund(refundId: string, ...changes: string[]): Promise<void> {
  await inDatabase(async (client) => {
    for (const change of changes) await client.query(`UPDATE refund SET ${change} WHERE id = $1`, [refundId]);
  });
}

export const SENDING =
  "state = 'sending', waits_for = NULL, method = 'refund', sent_at = engine_now(), deadline_at = engine_now()";
export const UNKNOWN = "state = 'unknown'";
/** A day after it was sent. */
export const NOT_RULED_OUT =
  "state = 'held', held_for = 'not-ruled-out', review_since = engine_now(), deadline_at = engine_now() - interval '1 day'";

export const HELD_BY_RESTORE = "state = 'held', held_for = 'restored', review_since = engine_now()";

/** The provider's list has shown a refund by hand, of the same amount. */
export async function showRefundThere(refundId: string): Promise<void> {
  await inDatabase(async (client) => {
    await client.query(
      `INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk)
       SELECT 'by-hand-' || c.order_id, c.merchant_account_id, c.order_id, r.amount_cents, 'C', 'olive'
         FROM refund r JOIN charge c ON c.id = r.charge_id WHERE r.id = $1`,
      [refundId],
    );
  });
}

/** One that went out and was ruled out, which takes a quarter of an hour. */
export async function leaveNotMade(office: Office): Promise<void> {
  await changeRefund(await plantRefund(office), SENDING, UNKNOWN, "state = 'not_made'");
}

const WAITING = `
  WITH paid AS (
    SELECT c.id AS charge_id, c.intent_id, a.invoice_id
      FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
     WHERE c.intent_id = (SELECT own.intent_id FROM payment_share s JOIN charge own ON own.id = s.charge_id
                           WHERE s.franchise_id = $1)),
  asked AS (
    INSERT INTO refund_request (intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval)
    SELECT intent_id, gen_random_uuid(), 'journey', 'none', 'complaint', 2000 * count(*), $2 FROM paid
     GROUP BY intent_id RETURNING id),
  begun AS (
    INSERT INTO refund (request_id, charge_id, amount_cents, mark, state)
    SELECT asked.id, charge_id, 2000, 'r' || left(replace(gen_random_uuid()::text, '-', ''), 23),
           CASE WHEN $2 THEN 'requested' ELSE 'waiting' END
      FROM asked, paid RETURNING id, charge_id)
  INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                           services_tax_cents, tip_cents, effect, nothing_due)
  SELECT begun.id, begun.charge_id, paid.invoice_id, 1848, 152, 0, 0, 0, 'due-again', false
    FROM begun JOIN paid USING (charge_id)
  RETURNING refund_id AS id`;
