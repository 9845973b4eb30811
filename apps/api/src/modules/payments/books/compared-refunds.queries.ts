import { type Cents, cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../db/client.ts';
import { query, unnest } from '../../../db/query.ts';
import { isMade } from '../../../db/statements/line-sums.queries.ts';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';

/** What our books know about a refund that the provider shows. */
export type ComparedRefund = {
  /** Whether one of our refunds owns this row, or else was the last to own it. */
  isOwner: boolean;
  amountCents: Cents | null;
  isUndone: boolean;
  /** A refund of this order and amount was ruled out before this one showed. */
  wasGivenUp: boolean;
  /** Each was made all the same: sent again, requested anew for its work orders, or closed with a note on how it was paid back. */
  wasMadeGood: boolean;
};

/** Looked up by the provider's keys, for all rows that are refunds. */
export async function findRefundsOfRows(
  db: Queryable,
  rows: TransactionRecord[],
): Promise<Map<string, ComparedRefund>> {
  const wanted = rows.filter(({ isRefund }) => isRefund);
  if (wanted.length === 0) return new Map();
  const found = await query<ComparedRefund & { key: string }>(db)`
    SELECT w.key, r.id IS NOT NULL AS "isOwner", r.amount_cents AS "amountCents",
           r.undone_at IS NOT NULL AS "isUndone", given_up.is_any AS "wasGivenUp",
           given_up.was_made_good AS "wasMadeGood"
      FROM ${unnest(wanted, { transactionKey: 'text', orderId: 'text', amountCents: 'bigint' })} AS w (key, order_id, amount_cents)
      LEFT JOIN LATERAL (
        SELECT own.* FROM refund own
         WHERE own.transaction_key = w.key AND own.method = 'refund' AND own.state = 'made'
         ORDER BY own.undone_at DESC NULLS FIRST LIMIT 1) AS r ON true
     CROSS JOIN LATERAL (
        SELECT count(*) > 0 AS is_any,
               coalesce(bool_and(lost.closed_at IS NOT NULL OR EXISTS (
                 SELECT FROM refund o JOIN refund_request q ON q.id = o.request_id
                  WHERE o.charge_id = lost.charge_id AND ${isMade('o')}
                    AND (o.retry_of = lost.id
                         OR o.amount_cents = lost.amount_cents AND q.created_at > lost.sent_at AND NOT EXISTS (
                              SELECT FROM refund_line l WHERE l.refund_id = lost.id AND NOT EXISTS (
                                SELECT FROM refund_line a WHERE a.refund_id = o.id AND a.invoice_id = l.invoice_id))))),
                 false) AS was_made_good
          FROM charge c JOIN refund lost ON lost.charge_id = c.id
         WHERE c.order_id = w.order_id AND lost.state = 'not_made' AND lost.method = 'refund'
           AND lost.amount_cents = w.amount_cents AND w.key <> ALL (lost.before_keys)) AS given_up`;
  return new Map(
    found.map(({ key, amountCents, ...row }) => [
      key,
      { ...row, amountCents: amountCents === null ? null : cents(amountCents) },
    ]),
  );
}

export type MadeRefund = { transactionKey: string; orderId: string; reference: string; amountCents: Cents };

/** Refunds that a list read at `before` must show; those of the last minutes may be too young for it. */
export async function listMadeRefunds(
  db: Queryable,
  { accountId, days, before }: { accountId: number; days: number; before: Date },
): Promise<MadeRefund[]> {
  const rows = await query<MadeRefund>(db)`
    SELECT r.transaction_key AS "transactionKey", c.order_id AS "orderId", coalesce(r.reference, '') AS reference,
           r.amount_cents AS "amountCents"
      FROM refund r JOIN charge c ON c.id = r.charge_id
     WHERE c.merchant_account_id = ${accountId} AND r.method = 'refund' AND r.undone_at IS NULL
       AND r.made_at > (SELECT engine_now()) - make_interval(days => ${days})
       AND r.made_at < ${before.toISOString()}::timestamptz - interval '15 minutes'`;
  return rows.map((row) => ({ ...row, amountCents: cents(row.amountCents) }));
}
