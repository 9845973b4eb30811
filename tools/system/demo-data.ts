import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../root.ts';

const INVOICES = join(root, 'demo/invoices.csv');

export type PayableInvoice = { franchiseId: number; workOrderNumber: number; zipCode: string };

/** Loads the demo's invoices through the office's own call, into an empty database only. */
export async function loadDemoData(options: {
  databaseUrl: string;
  portalUrl: string;
  officeApiKey: string;
}): Promise<'loaded' | 'kept'> {
  const { databaseUrl, portalUrl, officeApiKey } = options;
  const [found] = await query<{ isEmpty: boolean }>(
    databaseUrl,
    'SELECT NOT EXISTS (SELECT FROM invoice) AND NOT EXISTS (SELECT FROM app_user) AS "isEmpty"',
  );
  if (!found?.isEmpty || !existsSync(INVOICES)) return 'kept';
  const answer = await fetch(`${portalUrl}/api/office/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': 'text/csv' },
    body: await readFile(INVOICES),
  });
  if (!answer.ok) throw new Error(`The demo's invoices cannot be imported:\n${await answer.text()}`);
  return 'loaded';
}

/** One that can be looked up and paid right now. */
export async function findPayableInvoice(databaseUrl: string): Promise<PayableInvoice | undefined> {
  const [invoice] = await query<PayableInvoice>(
    databaseUrl,
    `SELECT i.franchise_id AS "franchiseId", i.work_order_number::int AS "workOrderNumber", l.zip_code AS "zipCode"
       FROM invoice i JOIN location l ON l.id = i.location_id
      WHERE i.balance_cents > 0 AND l.zip_key IS NOT NULL
      ORDER BY i.tips_enabled DESC, i.tax_cents = 0, i.id LIMIT 1`,
  );
  return invoice;
}

async function query<T extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
