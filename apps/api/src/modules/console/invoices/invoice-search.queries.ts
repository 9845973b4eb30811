import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { startingWith } from '../../../db/like.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { BRAND_NAMES } from '../search/describe-terms.ts';
import type { FoundCustomers } from '../search/find-customers.ts';
import type { Reading, Term } from '../search/readings.ts';

/** A search as conditions on invoices: which to pick from, if it names them, and what each must match. */
export type InvoiceSearch = {
  /** Selects ids; null if only the list's order leads to the rows. */
  chosen: SQL | null;
  fits: SQL[];
};

const NAMING = new Set<Reading['kind']>([
  'work-order',
  'words',
  'email',
  'last-four',
  'reference',
  'order',
  'payment',
]);

/**
 * Turns search terms into conditions on invoice i of customer c. Days are handled with the list's own filters. Of each
 * reading, `chosen` selects at most that many; null for all.
 */
export function searchInvoices(
  terms: readonly Term[],
  customers: FoundCustomers,
  { most }: { most: number | null },
): InvoiceSearch {
  const asked = terms
    .map(({ readings }) => readings.filter(({ kind }) => kind !== 'days'))
    .filter((readings) => readings.length > 0);
  const naming = asked.find((readings) => readings.every(({ kind }) => NAMING.has(kind)));
  const idsOf = (reading: Reading) => customers.byReading.get(reading) ?? [];
  return {
    chosen: naming
      ? sql.join(
          naming.map((reading) => choose(reading, idsOf(reading), sql`LIMIT ${most}::bigint`)),
          sql` UNION ALL `,
        )
      : null,
    fits: asked.map(
      (readings) =>
        sql`(${sql.join(
          readings.map((reading) => fits(reading, idsOf(reading))),
          sql` OR `,
        )})`,
    ),
  };
}

/**
 * Counts what a search chose, an invoice again for each way that leads to it, up to `most`. Whose they are is asked when
 * they are read: a count of the caller's own alone might look at all offices' payments with a card's digits.
 */
export async function countChosen(
  db: Queryable,
  chosen: SQL,
  { actorId, most }: { actorId: string; most: number },
): Promise<number> {
  const rows = await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (SELECT FROM (${chosen}) AS chosen LIMIT ${most}) AS counted
     WHERE EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${actorId})`;
  return onlyRow(rows).count;
}

/** Ids of the invoices that a reading names, found by an index. */
function choose(reading: Reading, customerIds: readonly number[], most: SQL): SQL {
  switch (reading.kind) {
    case 'work-order':
      return sql`(SELECT id FROM invoice WHERE work_order_number = ${reading.number} ${most})`;
    case 'words':
      return invoicesOf(customerIds, most);
    case 'email':
      return sql`${invoicesOf(customerIds, most)} UNION ALL ${paidInvoices(reading, most)}`;
    default:
      return paidInvoices(reading, most);
  }
}

const invoicesOf = (customerIds: readonly number[], most: SQL): SQL => sql`
  (SELECT own.id FROM location place JOIN invoice own ON own.location_id = place.id
    WHERE place.customer_id = ANY(${listOf(customerIds, 'bigint')}) AND own.former_customer_id IS NULL ${most})
  UNION ALL
  (SELECT id FROM invoice WHERE former_customer_id = ANY(${listOf(customerIds, 'bigint')}) ${most})`;

const paidInvoices = (reading: Reading, most: SQL): SQL => sql`
  (SELECT a.invoice_id FROM (${chargesOf(reading)} ${most}) AS paid (id)
    JOIN charge_allocation a ON a.charge_id = paid.id ${most})`;

function chargesOf(reading: Reading): SQL {
  switch (reading.kind) {
    case 'email':
      return sql`SELECT c.id FROM payment_intent p JOIN charge c ON c.intent_id = p.id
                  WHERE lower(p.payer_email) LIKE ${startingWith(reading.prefix)}`;
    case 'last-four':
      return sql`SELECT charge_id FROM payment_share WHERE last_four = ${reading.digits}`;
    case 'reference':
      return sql`SELECT id FROM charge WHERE reference = ${reading.reference}`;
    case 'order':
      return sql`SELECT id FROM charge WHERE order_id = ${reading.orderId}`;
    case 'payment':
      return sql`SELECT id FROM charge WHERE intent_id = ${reading.paymentId}`;
    default:
      throw new Error(`no charges are found by ${reading.kind}`);
  }
}

function fits(reading: Reading, customerIds: readonly number[]): SQL {
  switch (reading.kind) {
    case 'work-order':
      return sql`i.work_order_number = ${reading.number}`;
    case 'email':
      return sql`(c.id = ANY(${listOf(customerIds, 'bigint')}) OR ${paidBy(sql`
        EXISTS (SELECT FROM payment_intent p
                 WHERE p.id = paid.intent_id AND lower(p.payer_email) LIKE ${startingWith(reading.prefix)})`)})`;
    case 'words':
      return sql`c.id = ANY(${listOf(customerIds, 'bigint')})`;
    case 'amount': {
      const { fromCents, toCents } = reading;
      const within = (column: SQL) =>
        sql`(${column} >= coalesce(${fromCents}::bigint, 0)
             AND ${column} <= coalesce(${toCents}::bigint, 9223372036854775807))`;
      // The billed amount, or what is due now.
      return sql`(${within(sql`i.amount_cents`)} OR (i.balance_cents > 0 AND ${within(sql`i.balance_cents`)}))`;
    }
    case 'last-four':
      return paidBy(sql`right(paid.masked_card, 4) = ${reading.digits}`);
    case 'reference':
      return paidBy(sql`paid.reference = ${reading.reference}`);
    case 'order':
      return paidBy(sql`paid.order_id = ${reading.orderId}`);
    case 'payment':
      return paidBy(sql`paid.intent_id = ${reading.paymentId}::uuid`);
    case 'brand':
      return paidBy(sql`paid.card_brand = ${BRAND_NAMES[reading.brand]}`);
    case 'days':
      return sql`true`;
  }
}

/** Matches payments of this invoice, including declined ones. */
const paidBy = (condition: SQL) => sql`
  EXISTS (SELECT FROM charge_allocation a JOIN charge paid ON paid.id = a.charge_id
           WHERE a.invoice_id = i.id AND ${condition})`;
