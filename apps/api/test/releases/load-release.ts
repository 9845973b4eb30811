import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../database/postgres.ts';
import { APPROVED_CARD, type LedgerRow, type TestEmulator } from '../emulator.ts';

/** An earlier release's tables, and its provider's list, at one moment of its tests. */
type Release = { ledger: LedgerRow[]; tables: Record<string, Record<string, unknown>[]> };

/** v0.1 with payments in every state, some of them in review. Its last charge was made at this moment. */
export const V01 = { name: 'v0.1', newestMigration: '0014-older-books', dumpedAt: '2026-11-22T22:01:51Z' };

const migrations = new URL('../../src/db/migrations/', import.meta.url);

/** A database as that release left it a moment ago, and a provider with the same payments. */
export async function loadRelease(
  emulator: TestEmulator,
  { name, newestMigration, dumpedAt }: typeof V01,
): Promise<TestDatabase> {
  const text = readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8');
  const { tables } = JSON.parse(await withKeysOf(emulator, text)) as Release;
  const database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await migrateTo(client, newestMigration);
    // Bypasses triggers: the release's own ones have judged these rows already.
    await client.query(`SET session_replication_role = 'replica'`);
    for (const [table, rows] of Object.entries(tables)) await fill(client, { table, rows, dumpedAt });
    await client.query('UPDATE deployment SET books_of = database_identity()');
  } finally {
    await client.end();
  }
  return database;
}

/** Makes the release's payments at the provider, and returns the release with their new keys. */
async function withKeysOf(emulator: TestEmulator, text: string): Promise<string> {
  const { ledger } = JSON.parse(text) as Release;
  let renamed = text;
  for (const row of ledger) {
    const send = (body: object) => emulator.callAs(row.merchant, 'POST', '/transactions', body);
    const number = row.result_code === 'D' ? '4000300011112220' : APPROVED_CARD;
    const made = await send({
      command: 'cc:authonly',
      amount: row.amount,
      orderid: row.orderid,
      creditcard: { number, expiration: '1230', cvc: '123' },
    });
    const trankey = String(made.key);
    if (row.trantype_code === 'L') await send({ command: 'cc:capture', trankey });
    if (row.trantype_code === 'V') await send({ command: 'void:release', trankey });
    renamed = renamed
      .replaceAll(`"${row.key}"`, `"${trankey}"`)
      .replaceAll(`"${row.refnum}"`, `"${made.refnum}"`);
  }
  return renamed;
}

async function migrateTo(client: pg.Client, newest: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'brightpane-migrations-'));
  try {
    cpSync(migrations, folder, { recursive: true });
    const journal = join(folder, 'meta/_journal.json');
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
    const known = entries.filter(({ tag }) => tag <= newest);
    writeFileSync(journal, JSON.stringify({ ...rest, entries: known }));
    await runMigrations(drizzle(client), { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Filling = { table: string; rows: Record<string, unknown>[]; dumpedAt: string };

async function fill(client: pg.Client, { table, rows, dumpedAt }: Filling): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string; identity: boolean }>(
    `SELECT column_name AS name, data_type AS type, is_identity = 'YES' AS identity
       FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join();
  // Shifts times, so that the release ran a moment before the test, whenever that is.
  const values = columns.map(({ name, type }) =>
    type.startsWith('timestamp') ? `"${name}" + (now() - '${dumpedAt}')` : `"${name}"`,
  );
  await client.query(
    `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join()} FROM jsonb_populate_recordset(NULL::"${table}", $1)`,
    [JSON.stringify(rows)],
  );
  for (const { name } of columns.filter(({ identity }) => identity)) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT max("${name}") FROM "${table}"))`,
      [table, name],
    );
  }
}
