import { hash, randomUUID } from 'node:crypto';
import { INVOICE_COLUMNS, type InvoiceColumn } from '@brightpane/contract/office';
import { sql } from 'drizzle-orm';
import { TEST_SECRETS, type TestApp } from '../build-test-app.ts';
import { nextNumber } from '../factories/invoices.ts';

/** The office key's id. */
export const OFFICE_KEY_ID = '00000000-0000-4000-8000-000000000001';

/** Makes an office's call, with the office key by default. */
export function callOffice(
  { app }: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; key?: string } = {},
) {
  const { key = TEST_SECRETS.officeApiKey } = options;
  return app.inject({
    method,
    url: `/api/office${path}`,
    headers: { authorization: `Bearer ${key}`, ...options.headers },
    ...(options.body !== undefined && { payload: options.body as object }),
  });
}

/** An API key of one office, with the right to import. */
export async function makeOfficeKey({ deps }: TestApp, franchiseId: string): Promise<string> {
  const publicId = randomUUID().slice(0, 8);
  const key = `bpo_${publicId}_${'k'.repeat(43)}`;
  await deps.db.query.execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, franchise_id, rights)
    VALUES (${publicId}, ${`office ${franchiseId}`}, ${hash('sha256', key, 'buffer')}, ${Number(franchiseId)},
            ARRAY['view', 'import'])`);
  return key;
}

export type Row = Record<InvoiceColumn, string>;

/** A row of an import, with its own franchise, customer and location by default. */
export function officeRow(given: Partial<Row> = {}): Row {
  const number = String(nextNumber());
  return {
    franchiseId: number,
    franchiseName: 'Clear View',
    timeZone: 'America/Chicago',
    customerNumber: number,
    customerName: "Zoë O'Brien",
    customerEmail: 'zoe@example.com',
    locationId: number,
    description: 'Home',
    addressLine1: '12 Maple Street',
    city: 'Springfield',
    state: 'IL',
    zipCode: '62704',
    workOrderNumber: number,
    service: 'Windows, inside and out; Gutters',
    completedDate: '2026-11-03',
    dueDate: '2026-11-30',
    amount: '108.25',
    salesTaxAmount: '8.25',
    salesTaxRate: '0.0825',
    tipsEnabled: 'true',
    paidElsewhere: '0.00',
    ...given,
  };
}

/** The rows as CSV, every value quoted. */
export function toCsv(
  rows: Row[],
  { newline = '\n', columns = INVOICE_COLUMNS as readonly InvoiceColumn[] } = {},
): string {
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
  return [columns.join(','), ...rows.map((row) => columns.map((column) => quote(row[column])).join(','))]
    .map((line) => line + newline)
    .join('');
}

export function importCsv(portal: TestApp, file: string | Buffer) {
  return callOffice(portal, 'POST', '/import', { body: file, headers: { 'content-type': 'text/csv' } });
}

export function importRows(portal: TestApp, rows: Row[]) {
  return importCsv(portal, toCsv(rows));
}
