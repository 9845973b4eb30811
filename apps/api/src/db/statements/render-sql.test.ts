import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { outgoingMail } from '../schema/operations.ts';
import { renderSql } from './render-sql.ts';

const part = (value: unknown) => sql`(${value} AND ${sql.raw('true')})`;

test.each([
  ['texts and values', sql`SELECT ${1}, ${'a'}, ${null}, ${false}`],
  ['statements in statements', sql`SELECT ${part(1)} FROM ${part(part(2))} WHERE ${3}`],
  ['lists as one value', sql`SELECT ${sql.param([1, 2])}::bigint[], ${sql.param(null)}`],
  ['nothing in a place', sql`SELECT 1 ${sql``} ${undefined}`],
  [
    'names and columns',
    sql`SELECT ${sql.identifier('accepted_at')}, ${outgoingMail.onceKey} FROM ${outgoingMail}`,
  ],
  ['lists of values', sql`SELECT 1 IN ${[1, 2]}`],
])('%s are rendered as Drizzle does', (_what, query) => {
  const { sql: text, params: values } = new PgDialect().sqlToQuery(query);
  expect(renderSql(query)).toEqual({ text, values });
});
