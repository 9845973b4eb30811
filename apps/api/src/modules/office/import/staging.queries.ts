import type { Writable } from 'node:stream';
import type { OwnConnection } from '../../../db/own-connection.ts';
import { query } from '../../../db/query.ts';
import { zipKey } from '../../invoices/zip-key.ts';
import type { InvoiceRow } from '../rows/read-invoice-row.ts';
import { copyLine } from './copy-line.ts';

/** Creates the staging table, private to this connection and dropped with it. */
export async function createStaging({ query: db }: OwnConnection): Promise<void> {
  await query(db)`
    CREATE TEMPORARY TABLE import_row (
      line integer NOT NULL,
      franchise_id integer NOT NULL,
      franchise_name text NOT NULL,
      time_zone text NOT NULL,
      customer_number bigint NOT NULL,
      customer_name text NOT NULL,
      customer_email text,
      location_number bigint NOT NULL,
      description text NOT NULL,
      address_line1 text NOT NULL,
      city text NOT NULL,
      state text NOT NULL,
      zip_code text NOT NULL,
      zip_key text,
      work_order_number bigint NOT NULL,
      service text NOT NULL,
      completed_date date,
      due_date date,
      amount_cents bigint NOT NULL,
      tax_cents bigint NOT NULL,
      tax_rate_ppm integer NOT NULL,
      tips_enabled boolean NOT NULL,
      paid_elsewhere_cents bigint, -- null: the office does not say
      is_update boolean NOT NULL DEFAULT false
    )`;
  await query(db)`CREATE TEMPORARY TABLE import_move (location_id bigint, former_customer_id bigint)`;
}

/** Accepts lines from `stagingLine`. */
export function stagingStream(connection: OwnConnection): Writable {
  return connection.copyIn(`COPY import_row (
      line, franchise_id, franchise_name, time_zone, customer_number, customer_name, customer_email,
      location_number, description, address_line1, city, state, zip_code, zip_key, work_order_number, service,
      completed_date, due_date, amount_cents, tax_cents, tax_rate_ppm, tips_enabled, paid_elsewhere_cents
    ) FROM STDIN`);
}

export function stagingLine(line: number, row: InvoiceRow): string {
  return copyLine([
    line,
    row.franchiseId,
    row.franchiseName,
    row.timeZone,
    row.customerNumber,
    row.customerName,
    row.customerEmail,
    row.locationId,
    row.description,
    row.addressLine1,
    row.city,
    row.state,
    row.zipCode,
    zipKey(row.zipCode),
    row.workOrderNumber,
    row.service,
    row.completedDate,
    row.dueDate,
    row.amount,
    row.salesTaxAmount,
    row.salesTaxRate,
    row.tipsEnabled,
    row.paidElsewhere,
  ]);
}

/** Without statistics, the planner takes the table for a small one. */
export async function analyzeStaging({ query: db }: OwnConnection): Promise<void> {
  await query(db)`ANALYZE import_row`;
}
