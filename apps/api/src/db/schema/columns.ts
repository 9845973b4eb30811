import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { customType, type PgTable } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** All columns of a table, named as in the type of its rows. */
export function columnsOf(table: PgTable): SQL {
  const columns = Object.entries(getTableColumns(table)).map(
    ([name, column]) => sql`${column} AS ${sql.identifier(name)}`,
  );
  return sql.join(columns, sql`, `);
}
