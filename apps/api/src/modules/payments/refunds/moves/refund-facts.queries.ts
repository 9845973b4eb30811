import { type Cents, cents } from '@brightpane/money/cents';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { partsOf } from '../../../../db/statements/line-sums.queries.ts';
import { inAMonth } from '../../../../mail/queue-mail.queries.ts';

/** What a refund's mails need to know. */
export type RefundFacts = {
  paymentId: string;
  method: 'void' | 'refund' | null;
  amountCents: Cents;
  card: string;
  reference: string;
  heldFor: string | null;
  providerWords: string | null;
  /** The current address of the account that paid or adopted the payment, else the address given with the payment. */
  payerEmail: string | null;
  /** Null if an API key requested it. */
  requesterEmail: string | null;
  /** `fellDueCents`: 0 until it is booked, and where the payer may not hear it. */
  lines: { workOrderNumber: number; amountCents: Cents; fellDueCents: Cents }[];
};

/** For a payment `p` and its adopting account `a`. */
const payerAddress = sql`
  coalesce((SELECT u.email FROM app_user u WHERE u.id = coalesce(p.user_id, a.user_id) AND u.active), p.payer_email)`;

/** Mail to a payer whose account is closed by now is blanked like the account's own mails; other mail never. */
export const payerBlankAt = (paymentId: string): SQL => sql`(
  SELECT ${inAMonth} FROM payment_intent p LEFT JOIN adopted_payment a ON a.intent_id = p.id
    JOIN app_user u ON u.id = coalesce(p.user_id, a.user_id)
   WHERE p.id = ${paymentId} AND u.closed_at IS NOT NULL)`;

/** Where mail about what became of a payment goes, if anywhere. */
export async function findPayerAddress(db: Queryable, paymentId: string): Promise<string | null> {
  const [row] = await query<{ email: string | null }>(db)`
    SELECT ${payerAddress} AS email
      FROM payment_intent p LEFT JOIN adopted_payment a ON a.intent_id = p.id
     WHERE p.id = ${paymentId}`;
  return row?.email ?? null;
}

/**
 * For a refund's line `l`, too. To a stranger to the invoice (decision 29), only what they paid of it may be named: if less
 * fell due, others have paid.
 */
const mayHearFellDue = sql`
  (p.kind <> 'guest' OR p.zip_key_shown IS NOT NULL OR a.user_id IS NOT NULL
   OR l.fell_due_cents = l.invoice_cents + l.tax_cents)`;

export async function readRefundFacts(tx: Queryable, refundId: string): Promise<RefundFacts> {
  const rows = await query<RefundFacts>(tx)`
    SELECT p.id AS "paymentId", r.method, r.amount_cents AS "amountCents", r.held_for AS "heldFor",
           r.provider_words AS "providerWords", coalesce(r.reference, c.reference, '') AS reference,
           concat_ws(' ', c.card_brand, c.masked_card) AS card,
           ${payerAddress} AS "payerEmail",
           (SELECT u.email FROM staff s JOIN app_user u ON u.id = s.user_id
             WHERE s.id = q.actor AND s.state = 'active') AS "requesterEmail",
           (SELECT json_agg(json_build_object('workOrderNumber', i.work_order_number, 'amountCents',
                     ${partsOf('l')},
                     'fellDueCents', CASE WHEN ${mayHearFellDue} THEN coalesce(l.fell_due_cents, 0) ELSE 0 END)
                     ORDER BY i.id)
              FROM refund_line l JOIN invoice i ON i.id = l.invoice_id WHERE l.refund_id = r.id) AS lines
      FROM refund r
      JOIN refund_request q ON q.id = r.request_id
      JOIN charge c ON c.id = r.charge_id
      JOIN payment_intent p ON p.id = c.intent_id
      LEFT JOIN adopted_payment a ON a.intent_id = p.id
     WHERE r.id = ${refundId}`;
  const [row] = rows;
  if (!row) throw new Error(`refund ${refundId} is not there`);
  return {
    ...row,
    amountCents: cents(row.amountCents),
    lines: row.lines.map((line) => ({
      ...line,
      amountCents: cents(line.amountCents),
      fellDueCents: cents(line.fellDueCents),
    })),
  };
}
