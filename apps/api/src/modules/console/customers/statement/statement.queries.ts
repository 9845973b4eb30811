import type { StatementRow } from '@brightpane/contract/office/customers';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { onlyRow, query } from '../../../../db/query.ts';

export type StatementAsked = { actorId: string; customerId: number; from: string; to: string };

export type StatementLine = {
  day: string;
  kind: StatementRow['kind'];
  workOrderNumber: number;
  service: string;
  /** Positive if the customer owes more, negative if less. */
  cents: number;
};

/**
 * Everything that changes what a customer owes. An invoice counts on the day of its work, or today until the work is
 * done; payments count on their ledger day in the franchise's time zone. A credited refund lowered the invoice's amount
 * and is booked to credits. A credit that a payer took is part of the payment; where the office has copied it into the
 * amount, the invoice stands with what it asked before, so that the credit counts once.
 */
const lines = ({ actorId, customerId }: Pick<StatementAsked, 'actorId' | 'customerId'>): SQL => sql`
  WITH own AS MATERIALIZED (
    SELECT i.*, f.time_zone,
           least(i.credits_left_cents,
                 greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents)) AS copied_cents
      FROM (SELECT i.* FROM location place JOIN invoice i ON i.location_id = place.id
             WHERE place.customer_id = ${customerId} AND i.former_customer_id IS NULL
            UNION ALL
            SELECT i.* FROM invoice i WHERE i.former_customer_id = ${customerId}) AS i
      JOIN franchise f ON f.id = i.franchise_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
  ), line AS (
    SELECT coalesce(completed_date, ((SELECT engine_now()) AT TIME ZONE time_zone)::date) AS day, 0 AS turn,
           id AS source, 'invoice' AS kind, work_order_number, service, amount_cents + copied_cents AS cents
      FROM own WHERE amount_cents + copied_cents > 0
    UNION ALL
    SELECT (e.created_at AT TIME ZONE own.time_zone)::date, 1, e.id,
           CASE WHEN e.charge_id IS NULL THEN 'office-payment' WHEN e.reason = 'payment' THEN 'payment'
                WHEN e.reason = 'reversal' THEN 'not-collected'
                WHEN starts_with(e.reason, 'refund-undone:') THEN 'refund-undone' ELSE 'refund' END,
           own.work_order_number, own.service, CASE e.direction WHEN 'debit' THEN e.amount_cents ELSE -e.amount_cents END
      FROM own JOIN ledger_entry e ON e.invoice_id = own.id AND e.account IN ('receivable', 'credits'))`;

/**
 * The balance before the first day and after the last, the number of lines between, and the lines in order of time unless
 * there are more than `most`. One statement, so that no payment is in the lines and not in the balance.
 */
export async function selectStatement(
  db: Queryable,
  { from, to, most, ...of }: StatementAsked & { most: number },
): Promise<{ openingCents: number; closingCents: number; count: number; lines: StatementLine[] }> {
  return onlyRow(
    await query<Awaited<ReturnType<typeof selectStatement>>>(db)`
    ${lines(of)}
    SELECT sums.*,
           coalesce((
             SELECT json_agg(json_build_object('day', day, 'kind', kind, 'workOrderNumber', work_order_number,
                                               'service', service, 'cents', cents) ORDER BY day, turn, source)
               FROM line WHERE day >= ${from}::date AND day <= ${to}::date AND sums.count <= ${most}), '[]') AS lines
      FROM (SELECT coalesce(sum(cents) FILTER (WHERE day < ${from}::date), 0)::bigint AS "openingCents",
                   coalesce(sum(cents), 0)::bigint AS "closingCents",
                   (count(*) FILTER (WHERE day >= ${from}::date))::integer AS count
              FROM line WHERE day <= ${to}::date) AS sums`,
  );
}

/** A line of a statement's file; the first is the opening balance. */
export type ExportedStatementLine = Omit<StatementLine, 'kind' | 'workOrderNumber'> & {
  kind: StatementLine['kind'] | 'opening';
  workOrderNumber: number | null;
};

/** The opening balance and all lines, for a file. */
export const exportedStatement = ({ from, to, ...of }: StatementAsked): SQL => sql`
  ${lines(of)}
  SELECT day, kind, "workOrderNumber", service, cents
    FROM (SELECT ${from}::date AS day, -1 AS turn, 0 AS source, 'opening' AS kind, NULL::integer AS "workOrderNumber",
                 '' AS service, coalesce(sum(cents), 0)::bigint AS cents FROM line WHERE day < ${from}::date
          UNION ALL SELECT day, turn, source, kind, work_order_number, service, cents FROM line
                     WHERE day >= ${from}::date AND day <= ${to}::date) AS exported
   ORDER BY turn >= 0, day, turn, source`;
