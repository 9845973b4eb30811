import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { clientOf, type Queryable } from '../client.ts';
import { renderSql } from './render-sql.ts';

const namesByText = new Map<string, string>();

/**
 * Runs a statement that each connection plans once. For a payment's steps, which look up by id, so that one plan serves
 * all. Not for texts that vary, such as lists of values: every text stays prepared for good.
 */
export async function executePrepared<Row extends pg.QueryResultRow>(
  db: Queryable,
  query: SQL,
): Promise<Row[]> {
  const { text, values } = renderSql(query);
  const { rows } = await clientOf(db).query<Row>({ name: nameOf(text), text, values });
  return rows;
}

function nameOf(text: string): string {
  const name = namesByText.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 22);
  namesByText.set(text, name);
  return name;
}
