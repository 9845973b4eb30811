import type { InvoiceStatus } from '@brightpane/contract/office/invoices';
import { sql } from 'drizzle-orm';
import { OFFICE_AMOUNT } from '../../office/import/check/row-view.queries.ts';

/** An invoice as the console's lists and pages read it. */
export type InvoiceLine = {
  id: number;
  franchiseId: number;
  workOrderNumber: number;
  timeZone: string;
  customerNumber: number;
  customerName: string;
  addressLine1: string;
  city: string;
  state: string;
  service: string;
  completedDate: string | null;
  dueDate: string | null;
  amountCents: number;
  taxCents: number;
  paidCents: number;
  paidElsewhereCents: number;
  balanceCents: number;
  overpaidCents: number;
  status: InvoiceStatus;
  tipsEnabled: boolean;
  /** Taken off by credited refunds, and not by the office's own amount. */
  creditedCents: number;
};

/** Today in the franchise's time zone. */
export const todayThere = sql`((SELECT engine_now()) AT TIME ZONE f.time_zone)::date`;

/** Without what payers credited themselves. A list's `i` is a row of a subquery, which the function doesn't take. */
const overpaidCash = sql`overpaid_cash(i::invoice)`;

/** Must match the indexes of these invoices. */
export const isOverpaid = sql`
  i.paid_cents + i.paid_elsewhere_cents > i.amount_cents + i.credits_left_cents`;

/** The payer's statuses and two for the office. Work without a day is still to come. */
export const statusOf = sql`
  CASE WHEN ${isOverpaid} THEN 'overpaid'
       WHEN i.amount_cents = 0 THEN 'nothing-due'
       WHEN i.balance_cents = 0 THEN 'paid'
       WHEN i.due_date < ${todayThere} THEN 'overdue'
       WHEN i.due_date IS NOT NULL THEN 'due'
       WHEN i.completed_date IS NULL THEN 'upcoming'
       ELSE 'pending' END`;

/** For invoice i at location l of customer c and franchise f. */
export const invoiceLineColumns = sql`
  i.id, i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber", f.time_zone AS "timeZone",
  c.number AS "customerNumber", c.name AS "customerName", l.address_line1 AS "addressLine1", l.city, l.state,
  i.service, i.completed_date AS "completedDate", i.due_date AS "dueDate", i.amount_cents AS "amountCents",
  i.tax_cents AS "taxCents", i.paid_cents AS "paidCents", i.paid_elsewhere_cents AS "paidElsewhereCents",
  i.balance_cents AS "balanceCents",
  ${overpaidCash} AS "overpaidCents",
  ${statusOf} AS status, i.tips_enabled AS "tipsEnabled",
  ${OFFICE_AMOUNT} - i.amount_cents AS "creditedCents"`;

/** An invoice belongs to its location's customer, or to a former one if the location has changed hands since. */
export const placesOfInvoice = sql`
  JOIN location l ON l.id = i.location_id
  JOIN customer c ON c.id = coalesce(i.former_customer_id, l.customer_id)
  JOIN franchise f ON f.id = i.franchise_id`;

export const seenBy = (actorId: string) => sql`
  EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${actorId} AND v.franchise_id = i.franchise_id)`;
