import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { outgoingMail } from '../schema/operations.ts';
import { renderNamed, renderSql } from './render-sql.ts';

const part = (value: unknown) => sql`(${value} AND ${sql.raw('true')})`;

/** The template as a function gets it that is called with it. */
const given = (texts: TemplateStringsArray, ...values: unknown[]) => [texts, values] as const;

test.each([
  ['texts and values', given`SELECT ${1}, ${'a'}, ${null}, ${false}`],
  ['statements in statements', given`SELECT ${part(1)} FROM ${part(part(2))} WHERE ${3}`],
  ['lists as one value', given`SELECT ${sql.param([1, 2])}::bigint[], ${sql.param(null)}`],
  ['nothing in a place', given`SELECT 1 ${sql``} ${undefined}`],
  [
    'names and columns',
    given`SELECT ${sql.identifier('accepted_at')}, ${outgoingMail.onceKey} FROM ${outgoingMail}`,
  ],
  ['lists of values', given`SELECT 1 IN ${[1, 2]}`],
])('%s are rendered as Drizzle does', (_what, [texts, values]) => {
  const { sql: text, params } = new PgDialect().sqlToQuery(sql(texts, ...values));
  expect(renderSql(texts, values)).toEqual({ text, values: params });
  expect(renderNamed(texts, values)).toEqual({ name: expect.any(String), text, values: params });
});

test('variants of one template have their own texts, names and values', () => {
  const render = (value: number, more = sql``) =>
    renderNamed(...given`SELECT ${value} ${more} FROM ${part(value)}`);
  const [one, longer, other] = [render(1), render(2, sql`, ${7}`), render(3)];
  expect(one).toMatchObject({ text: 'SELECT $1  FROM ($2 AND true)', values: [1, 1] });
  expect(longer).toMatchObject({ text: 'SELECT $1 , $2 FROM ($3 AND true)', values: [2, 7, 2] });
  expect(other).toEqual({ ...one, values: [3, 3] });
  expect(longer.name).not.toBe(one.name);
});
