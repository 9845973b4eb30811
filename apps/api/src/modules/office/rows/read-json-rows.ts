import type { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { cutJsonRows, NOT_JSON } from './cut-json-rows.ts';
import type { SourceRow } from './source-row.ts';

const COLUMNS = new Set<string>(INVOICE_COLUMNS);

/** Reads the rows of `{"rows": [...]}` one by one. Their line numbers count list entries from 1. */
export async function* readJsonRows(body: Readable): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const rows of cutJsonRows(body)) {
    for (const cut of rows) {
      line++;
      const row = 'fault' in cut ? cut : parseRow(cut.bytes);
      if ('fault' in row) return yield { line, fault: row.fault };
      yield toSourceRow(row.value, line);
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseRow(bytes: Buffer): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { fault: NOT_JSON };
  }
}

function toSourceRow(row: unknown, line: number): SourceRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return { line, fault: 'a row must be an object' };
  }
  const fields = new Map(Object.entries(row));
  for (const [name, value] of fields) {
    if (!COLUMNS.has(name))
      return { line, fault: `${JSON.stringify(name.slice(0, 40))} is not a known field` };
    if (typeof value === 'object' && value !== null) {
      return { line, fault: `${name} must be text, a number, true or false` };
    }
  }
  return {
    line,
    values: INVOICE_COLUMNS.map((column) =>
      fields.has(column) ? String(fields.get(column) ?? '') : undefined,
    ),
  };
}
