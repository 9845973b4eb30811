import { fillPlaceholders, type SQLWrapper } from 'drizzle-orm';
import { clientOf, type Queryable, statement } from '../client.ts';

type Select = SQLWrapper & { toSQL(): { sql: string; params: unknown[] } };

/**
 * A prepared statement for the hottest lists. Builds rows by position, at a tenth of the cost of
 * Drizzle's mapping. Values stay as the driver reads them, so use it only for columns without their own
 * decoder, and not inside transactions.
 */
export function preparedList<Row>(
  name: string,
  { columns, build }: { columns: Record<keyof Row & string, unknown>; build: (db: Queryable) => Select },
): (db: Queryable, values: Record<string, unknown>) => Promise<Row[]> {
  const blank = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
  const prepared = statement((db) => build(db).toSQL());
  return async (db, given) => {
    const { sql: text, params } = prepared(db);
    const values = fillPlaceholders(params, given);
    const { rows } = await clientOf(db).query<unknown[]>({ name, text, values, rowMode: 'array' });
    return rows.map((row) => toObject(row, blank) as Row);
  };
}

/** Copying `blank` preallocates all columns; growing the object column by column is a fifth slower. */
function toObject(row: readonly unknown[], blank: Record<string, null>): Record<string, unknown> {
  const object: Record<string, unknown> = { ...blank };
  let index = 0;
  for (const name in blank) object[name] = row[index++];
  return object;
}
