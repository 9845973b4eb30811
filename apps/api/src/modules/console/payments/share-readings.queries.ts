import { type SQL, sql } from 'drizzle-orm';
import { startingWith } from '../../../db/like.ts';
import { listOf } from '../../../db/query.ts';
import { isMade, partsOf } from '../../../db/statements/line-sums.queries.ts';
import type { FoundCustomers } from '../search/find-customers.ts';
import type { Reading } from '../search/readings.ts';

/** Maps the provider's brand names; any other brand is `other`. */
export const brandKey = sql`(CASE s.brand WHEN 'Visa' THEN 'visa' WHEN 'Mastercard' THEN 'mastercard'
  WHEN 'American Express' THEN 'amex' WHEN 'Discover' THEN 'discover' ELSE 'other' END)`;

/** The refunds of a share that were made and not undone. */
export const refundedOf = (share: SQL): SQL => sql`coalesce((
  SELECT sum(${partsOf('l')})
    FROM refund r
    JOIN refund_line l ON l.refund_id = r.id
    JOIN invoice i ON i.id = l.invoice_id AND i.franchise_id = ${share}.franchise_id
   WHERE r.charge_id = ${share}.charge_id AND ${isMade('r')}), 0)::bigint`;

/** The customer of invoice `i` at location `l`. */
export const invoiceCustomer = sql`coalesce(i.former_customer_id, l.customer_id)`;

const hasLine = (condition: SQL) => sql`EXISTS (
  SELECT FROM charge_allocation a
    JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = s.franchise_id
    JOIN location l ON l.id = i.location_id
   WHERE a.charge_id = s.charge_id AND ${condition})`;

const isOfCustomers = (ids: readonly number[] = []) =>
  hasLine(sql`${invoiceCustomer} = ANY(${listOf(ids, 'bigint')})`);

/** Whether share `s`, with charge `c` and payment `p`, matches one reading of a token. */
export function fits(reading: Reading, customers: FoundCustomers['byReading']): SQL {
  switch (reading.kind) {
    case 'work-order':
      return hasLine(sql`i.work_order_number = ${reading.number}`);
    case 'last-four':
      return sql`s.last_four = ${reading.digits}`;
    case 'reference':
      return sql`c.reference = ${reading.reference}`;
    case 'amount':
      return isBetween(reading.fromCents, reading.toCents);
    case 'brand':
      return sql`s.outcome IS NOT NULL AND ${brandKey} = ${reading.brand}`;
    case 'order':
      return sql`c.order_id = ${reading.orderId}`;
    case 'payment':
      return sql`s.intent_id = ${reading.paymentId}::uuid`;
    case 'email':
      return sql`(lower(p.payer_email) LIKE ${startingWith(reading.prefix)} OR ${isOfCustomers(customers.get(reading))})`;
    case 'words':
      return isOfCustomers(customers.get(reading));
    case 'days':
      // Days are already applied as bounds, each in its own time zone.
      return sql`true`;
  }
}

export const isBetween = (from: number | null | undefined, to: number | null | undefined): SQL =>
  sql`s.amount_cents BETWEEN ${from ?? Number.MIN_SAFE_INTEGER}::bigint AND ${to ?? Number.MAX_SAFE_INTEGER}::bigint`;

/**
 * The `FROM` and `WHERE` on `payment_share s` that find a reading's shares by an index. Null for a reading that can
 * only narrow another's results.
 */
export function foundBy(reading: Reading, customers: FoundCustomers['byReading']): SQL[] | null {
  switch (reading.kind) {
    case 'payment':
      return [sql`payment_share s WHERE s.intent_id = ${reading.paymentId}::uuid`];
    case 'order':
      return [sql`charge c JOIN payment_share s ON s.charge_id = c.id WHERE c.order_id = ${reading.orderId}`];
    case 'reference':
      return [
        sql`charge c JOIN payment_share s ON s.charge_id = c.id WHERE c.reference = ${reading.reference}`,
      ];
    case 'last-four':
      return [sql`payment_share s WHERE s.last_four = ${reading.digits}`];
    case 'work-order':
      return [
        sql`office JOIN invoice i ON i.franchise_id = office.id AND i.work_order_number = ${reading.number}
            JOIN charge_allocation a ON a.invoice_id = i.id
            JOIN payment_share s ON s.charge_id = a.charge_id AND s.franchise_id = i.franchise_id WHERE true`,
      ];
    case 'email':
      return [
        sql`payment_intent p JOIN payment_share s ON s.intent_id = p.id
            WHERE lower(p.payer_email) LIKE ${startingWith(reading.prefix)}`,
        ...foundByCustomers(customers.get(reading)),
      ];
    case 'words':
      return foundByCustomers(customers.get(reading));
    default:
      return null;
  }
}

const foundByCustomers = (ids: readonly number[] = []): SQL[] => {
  const paid = sql`JOIN charge_allocation a ON a.invoice_id = i.id
    JOIN payment_share s ON s.charge_id = a.charge_id AND s.franchise_id = i.franchise_id`;
  const wanted = listOf(ids, 'bigint');
  return [
    sql`location l JOIN invoice i ON i.location_id = l.id AND i.former_customer_id IS NULL ${paid}
        WHERE l.customer_id = ANY(${wanted})`,
    sql`invoice i ${paid} WHERE i.former_customer_id = ANY(${wanted})`,
  ];
};
