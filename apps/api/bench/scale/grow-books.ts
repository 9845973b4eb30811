import pg from 'pg';
import { CREATE_LINES, insertLines, LINES } from './book-lines.ts';
import type { BookSize } from './book-shape.ts';
import { type BookTable, bookTables } from './book-tables.ts';

/**
 * Fills a migrated database with generated books, as a superuser. Drops constraints and indexes and rebuilds them later:
 * that is faster, and proves that the rows fit together. Fills two tables at a time, one per core of a small machine.
 * The portal's own account must exist already; the portal creates it at its start.
 */
export async function growBooks(
  url: string,
  size: Omit<BookSize, 'accountId' | 'asOf'>,
): Promise<{ seconds: number }> {
  const begin = performance.now();
  const clients = await Promise.all([openLoader(url), openLoader(url)]);
  const [first] = clients;
  try {
    const books = { ...size, ...(await readDeployment(first)) };
    await fillLines(clients, books);
    const tables = bookTables(books);
    const parts = await takeApart(
      first,
      tables.map(({ name }) => name),
    );
    await inTurns(clients, tables, (client, table) => fillTable(client, table, parts));
    const foreignKeys = parts.filter((part) => part.kind === 'foreign key');
    // In sequence: each locks the table that it references.
    for (const { build } of foreignKeys) await first.query(build);
    await first.query(`DROP TABLE ${LINES}`);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return { seconds: (performance.now() - begin) / 1000 };
}

async function fillLines([first, ...others]: [pg.Client, ...pg.Client[]], books: BookSize): Promise<void> {
  await first.query(CREATE_LINES);
  const clients = [first, ...others];
  const share = Math.ceil(books.invoices / clients.length);
  await Promise.all(
    clients.map((client, index) =>
      client.query(
        insertLines(books, {
          from: 1 + index * share,
          to: Math.min(books.invoices, (index + 1) * share),
        }),
      ),
    ),
  );
  await first.query(`ANALYZE ${LINES}`);
}

async function openLoader(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Rows are inserted in their final state, so the triggers that would lead there are off.
  await client.query(`SET session_replication_role = replica`);
  await client.query(`SET maintenance_work_mem = '1GB'`);
  await client.query(`SET synchronous_commit = off`);
  return client;
}

async function readDeployment(client: pg.Client): Promise<Pick<BookSize, 'accountId' | 'asOf'>> {
  const { rows } = await client.query<{ accountId: number; asOf: string }>(`
    SELECT id AS "accountId", to_json(clock_timestamp()) #>> '{}' AS "asOf" FROM merchant_account
     WHERE franchise_id IS NULL AND replaced_at IS NULL`);
  if (!rows[0]) throw new Error('the portal has no merchant account yet');
  return rows[0];
}

type Part = { table: string; kind: 'key' | 'index' | 'foreign key'; build: string };

/** Drops these tables' constraints and indexes. Returns how to rebuild each. */
async function takeApart(client: pg.Client, tables: string[]): Promise<Part[]> {
  const { rows: parts } = await client.query<Part & { drop: string }>(
    `SELECT * FROM (
     SELECT t.relname AS "table", CASE c.contype WHEN 'f' THEN 'foreign key' ELSE 'key' END AS kind,
            format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) AS build,
            format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, c.conname) AS drop
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid LEFT JOIN pg_class target ON target.oid = c.confrelid
      WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f')
        AND (t.relname = ANY($1) OR target.relname = ANY($1))
     UNION ALL
     SELECT t.relname, 'index', pg_get_indexdef(i.indexrelid), format('DROP INDEX %s', i.indexrelid::regclass)
       FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relname = ANY($1) AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ) AS part
     -- A key cannot go while another table points to it.
     ORDER BY kind = 'key'`,
    [tables],
  );
  for (const { drop } of parts) await client.query(drop);
  return parts.map(({ table, kind, build }) => ({ table, kind, build }));
}

/** Truncates and fills in one transaction, so that Postgres doesn't have to write every row to its log too. */
async function fillTable(client: pg.Client, { name, insert }: BookTable, parts: Part[]): Promise<void> {
  await client.query('BEGIN');
  await client.query(`TRUNCATE ${name}`);
  await client.query(insert);
  await client.query('COMMIT');
  await client.query(`
    SELECT setval(pg_get_serial_sequence(t.relname, 'id'), (SELECT count(*) FROM ${name}) + 1)
      FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
     WHERE t.oid = '${name}'::regclass AND a.attname = 'id' AND a.attidentity <> ''`);
  for (const { table, kind, build } of parts) {
    if (table === name && kind !== 'foreign key') await client.query(build);
  }
  await client.query(`VACUUM (ANALYZE) ${name}`);
}

async function inTurns<Work>(
  clients: pg.Client[],
  works: Work[],
  run: (client: pg.Client, work: Work) => Promise<void>,
): Promise<void> {
  const waiting = [...works];
  await Promise.all(
    clients.map(async (client) => {
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await run(client, work);
    }),
  );
}
