import type pg from 'pg';
import type { Payer } from '../world/world.ts';
import type { SeenVersions } from './pay.ts';

/** What a payer's page shows when it loads; undefined for pages that don't send versions. */
export async function lookAtInvoices(
  admin: pg.Pool,
  { invoices, saysWhatItSaw }: Payer,
): Promise<SeenVersions | undefined> {
  if (!saysWhatItSaw) return undefined;
  const { rows } = await admin.query<{ id: number; version: number }>(
    'SELECT id, version FROM invoice WHERE id = ANY($1)',
    [invoices.map(({ invoiceId }) => invoiceId)],
  );
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}
