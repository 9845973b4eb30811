import { sql } from 'drizzle-orm';

/** The amounts that the office sent for invoice `i`, ignoring later credits. */
export const OFFICE_AMOUNT = sql`coalesce(i.office_amount_cents, i.amount_cents)`;
export const OFFICE_TAX = sql`coalesce(i.office_tax_cents, i.tax_cents)`;

/** Invoice `i` in the form of an import row: what its office last sent about it, its customer and its place. */
export const ROW_OF_BOOKS = sql`
  i.franchise_id, f.name AS franchise_name, f.time_zone, c.number AS customer_number, c.name AS customer_name,
  c.email AS customer_email, l.number AS location_number, l.description, l.address_line1, l.city, l.state, l.zip_code,
  i.work_order_number, i.service, i.completed_date, i.due_date, ${OFFICE_AMOUNT} AS amount_cents,
  ${OFFICE_TAX} AS tax_cents, i.tax_rate_ppm,
  i.tips_enabled, i.paid_elsewhere_cents`;

/** The joins of such a row, for invoice `i`. */
export const PLACES_OF_INVOICE = sql`
  JOIN location l ON l.id = i.location_id
  JOIN customer c ON c.id = coalesce(i.former_customer_id, l.customer_id)
  JOIN franchise f ON f.id = i.franchise_id`;
