import { withClient } from '../../../../../apps/api/test/database/make-database.ts';

/** Every row of the portal's tables, as in a dump. */
export type Dump = { table: string; columns: string[]; rows: string }[];

export async function dumpRows(url: string): Promise<Dump> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ table: string; columns: string[] }>(`
      SELECT c.table_name AS "table", array_agg(quote_ident(c.column_name)) AS columns
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
       GROUP BY c.table_name ORDER BY c.table_name`);
    const dump: Dump = [];
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    for (const { table, columns } of tables) {
      const { rows } = await client.query<{ rows: string }>(
        `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM ${table} t`,
      );
      dump.push({ table, columns, rows: rows[0]?.rows ?? '[]' });
    }
    await client.query('COMMIT');
    return dump;
  });
}

/** Replaces all rows by the dump's, as `pg_restore --clean` does; `only` limits it to some tables. */
export async function restoreRows(
  url: string,
  dump: Dump,
  { how, only = () => true }: { how: 'truncate' | 'delete'; only?: (table: string) => boolean },
): Promise<void> {
  const tables = dump.filter(({ table }) => only(table));
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    const names = tables.map(({ table }) => table);
    if (how === 'truncate') await client.query(`TRUNCATE ${names.join(', ')} CASCADE`);
    else for (const table of names) await client.query(`DELETE FROM ${table}`);
    for (const { table, columns, rows } of tables) {
      const list = columns.join(', ');
      await client.query(
        `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
         SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1)`,
        [rows],
      );
    }
    await client.query(COUNT_ON);
    await client.query('COMMIT');
  });
}

/** A dump contains the values of its sequences too. */
const COUNT_ON = `
  DO $$
  DECLARE
    each record;
  BEGIN
    FOR each IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND is_identity = 'YES' LOOP
      EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT coalesce(max(%I), 0) + 1 FROM %I))',
                     each.table_name, each.column_name, each.column_name, each.table_name);
    END LOOP;
  END $$`;
