import { Name, Param, SQL, StringChunk } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

export type RenderedSql = { text: string; values: unknown[] };

const dialect = new PgDialect();

/**
 * Renders a statement's text and values. Handles texts, names, values and nested statements itself, at a fifth of the
 * cost of Drizzle's renderer, and falls back to that for anything else.
 */
export function renderSql(query: SQL): RenderedSql {
  const rendered: RenderedSql = { text: '', values: [] };
  if (append(rendered, query)) return rendered;
  const { sql: text, params: values } = dialect.sqlToQuery(query);
  return { text, values };
}

/** False if a piece is of another kind. */
function append(rendered: RenderedSql, { queryChunks }: SQL): boolean {
  for (const chunk of queryChunks as unknown[]) {
    if (chunk instanceof StringChunk) rendered.text += chunk.value.join('');
    else if (chunk instanceof SQL) {
      if (!append(rendered, chunk)) return false;
    } else if (chunk instanceof Name) rendered.text += dialect.escapeName(chunk.value);
    else if (chunk instanceof Param) appendValue(rendered, chunk.encoder.mapToDriverValue(chunk.value));
    else if (chunk === null || typeof chunk !== 'object') {
      if (chunk !== undefined) appendValue(rendered, chunk);
    } else return false;
  }
  return true;
}

function appendValue(rendered: RenderedSql, value: unknown): void {
  rendered.values.push(value);
  rendered.text += `$${rendered.values.length}`;
}
