import { type SQL, sql } from 'drizzle-orm';

/** The amounts that the office sent for invoice `i`, ignoring later credits. */
export const OFFICE_AMOUNT = sql`coalesce(i.office_amount_cents, i.amount_cents)`;
export const OFFICE_TAX = sql`coalesce(i.office_tax_cents, i.tax_cents)`;

/** Columns of an invoice that are stored as its office states them, named alike in a file's rows and in the books. */
const STATED = ['service', 'completed_date', 'due_date', 'tax_rate_ppm', 'tips_enabled'] as const;

/** Those columns of `alias`, in one order everywhere. */
export const statedOf = (alias: 'i' | 'r'): SQL =>
  sql.raw(STATED.map((name) => `${alias}.${name}`).join(', '));
export const STATED_NAMES: SQL = sql.raw(STATED.join(', '));
/** As an update sets them from `d`. */
export const STATED_SET: SQL = sql.raw(STATED.map((name) => `${name} = d.${name}`).join(', '));

/** Invoice `i` in the form of an import row: what its office last sent about it, its customer and its place. */
export const ROW_OF_BOOKS = sql`
  i.franchise_id, f.name AS franchise_name, f.time_zone, c.number AS customer_number, c.name AS customer_name,
  c.email AS customer_email, l.number AS location_number, l.description, l.address_line1, l.city, l.state, l.zip_code,
  i.work_order_number, ${statedOf('i')}, ${OFFICE_AMOUNT} AS amount_cents, ${OFFICE_TAX} AS tax_cents,
  i.paid_elsewhere_cents`;

/** The joins of such a row, for invoice `i`. */
export const PLACES_OF_INVOICE = sql`
  JOIN location l ON l.id = i.location_id
  JOIN customer c ON c.id = coalesce(i.former_customer_id, l.customer_id)
  JOIN franchise f ON f.id = i.franchise_id`;

/** The number of the customer whose location `l` is, who may not be the invoice's. */
export const OWNER_NUMBER = sql`(SELECT owner.number FROM customer owner WHERE owner.id = l.customer_id)`;
