import { type BookSize, bookShape, id, uniform, YEARS_IN_DAYS } from './book-shape.ts';

/** One row per invoice, from which all tables of invoices and payments are filled. Dropped afterwards. */
export const LINES = 'book_line';

export const CREATE_LINES = `
  CREATE UNLOGGED TABLE ${LINES} (
    n bigint, location_id bigint, customer_id bigint, franchise_id integer, completed_at timestamptz,
    paid_at timestamptz, net_cents bigint, tax_cents bigint, amount_cents bigint, tip_cents bigint,
    services_cents bigint, services_tax_cents bigint, paid_by text, is_tried_twice boolean, luck_of_mail float8,
    accepted_intent_id uuid, accepted_charge_id uuid)`;

/** 8.25 %, rounded, in integers: Postgres adds those up ten times as fast as exact decimals. */
const taxOf = (cents: string) => `((${cents} * 825 + 5000) / 10000)`;

/** Inserts the lines of some invoices. */
export function insertLines(size: BookSize, { from, to }: { from: number; to: number }): string {
  const { invoices, asOf } = size;
  const { locations, customerOf, franchiseOf } = bookShape(size);
  return `
    INSERT INTO ${LINES}
    SELECT n, location_id, customer_id, ${franchiseOf('customer_id')}, completed_at, paid_at, net_cents, tax_cents,
           net_cents + tax_cents, tip_cents, services_cents, ${taxOf('services_cents')},
           CASE WHEN luck < 0.005 OR paid_at > timestamptz '${asOf}' - interval '20 minutes' THEN 'nothing'
                WHEN luck < 0.7 THEN 'card' ELSE 'office' END,
           ${uniform('n', 8)} < 0.05, ${uniform('n', 10)}, ${id('intent', 'n')}, ${id('charge', 'n')}
      FROM generate_series(${from}::bigint, ${to}) AS n
     CROSS JOIN LATERAL (
       SELECT 1 + floor(${locations} * power(${uniform('n', 2)}, 2))::bigint AS location_id, ${uniform('n', 3)} AS luck,
              timestamptz '${asOf}' - interval '1 hour'
                - (1 - n / ${invoices}::float8) * interval '${YEARS_IN_DAYS} days' AS completed_at,
              5000 + floor(40000 * ${uniform('n', 4)})::bigint AS net_cents,
              CASE WHEN ${uniform('n', 5)} < 0.3 THEN 500 ELSE 0 END AS tip_cents,
              CASE WHEN ${uniform('n', 6)} < 0.05 THEN 2500 ELSE 0 END AS services_cents
       OFFSET 0) AS drawn
     CROSS JOIN LATERAL (
       SELECT ${customerOf('location_id')} AS customer_id, ${taxOf('net_cents')} AS tax_cents,
              completed_at + interval '10 minutes' + power(${uniform('n', 7)}, 2) * interval '24 days' AS paid_at
       OFFSET 0) AS derived`;
}
