import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { clientOf, type Queryable } from './client.ts';
import { inOnePiece, renderNamed, renderSql } from './statements/render-sql.ts';

type Statement<Row> = (texts: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>;

/**
 * Sends the statement that follows at once, and returns its rows with values as the driver reads them. Parts made with
 * `sql` become part of the text; every other value is bound.
 *
 * With `plan: 'once'` each connection keeps the statement under a name. Use it for statements by ids, where one plan serves
 * all values, and never for a text that varies: each connection keeps every variant for good.
 */
export function query<Row extends pg.QueryResultRow = Record<string, unknown>>(
  db: Queryable,
  { plan = 'each-time' }: { plan?: 'each-time' | 'once' } = {},
): Statement<Row> {
  return async (texts, ...given) => {
    const statement = plan === 'once' ? renderNamed(texts, given) : renderSql(texts, given);
    const { text, values } = statement;
    try {
      const { rows } = await clientOf(db).query<Row>(statement);
      return rows;
    } catch (error) {
      throw error instanceof Error ? new DrizzleQueryError(text, values, error) : error;
    }
  };
}

/** The row of a statement that always returns one. Throws without it: a default in its place would be believed. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return row;
}

export { inOnePiece };

type ElementType = 'bigint' | 'boolean' | 'bytea' | 'date' | 'integer' | 'text' | 'timestamptz' | 'uuid';

/** Binds values as one array, so that the text does not depend on how many there are. */
export const listOf = (values: readonly unknown[], type: ElementType): SQL =>
  sql`${sql.param(values)}::${sql.raw(type)}[]`;

/** A moment to the microsecond, as text; null stays null. */
export const instantText = (moment: SQL): SQL => sql`(to_json(${moment}) #>> '{}')`;

/** Binds rows for a FROM, one array per column, in the given order. */
export function unnest<Row>(rows: readonly Row[], types: { [Column in keyof Row]?: ElementType }): SQL {
  const lists: SQL[] = [];
  for (const column in types)
    lists.push(
      listOf(
        rows.map((row) => row[column]),
        types[column] ?? 'text',
      ),
    );
  return sql`unnest(${sql.join(lists, sql`, `)})`;
}
