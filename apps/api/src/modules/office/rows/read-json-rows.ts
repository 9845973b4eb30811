import type { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { JSONParser } from '@streamparser/json';
import type { SourceRow } from './source-row.ts';

const SHAPE = 'the body must be {"rows": [...]}';
const COLUMNS = new Set<string>(INVOICE_COLUMNS);

/** Reads the rows of `{"rows": [...]}` one by one. Their line numbers count list entries from 1. */
export async function* readJsonRows(body: Readable): AsyncGenerator<SourceRow> {
  const read: SourceRow[] = [];
  let line = 0;
  let hasRows = false;
  let fault: string | undefined;
  const parser = new JSONParser({ paths: ['$.*', '$.rows.*'], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length === 2 && typeof key === 'number') read.push(toSourceRow(value, ++line));
    else if (stack.length === 1 && key === 'rows' && Array.isArray(value)) hasRows = true;
    else fault ??= SHAPE;
  };
  parser.onError = () => {
    fault ??= 'this is not JSON';
  };
  for await (const chunk of body) {
    parser.write(chunk);
    yield* read.splice(0);
    if (fault !== undefined) break;
  }
  if (fault === undefined && !parser.isEnded) parser.end();
  if (fault === undefined && !hasRows) fault = SHAPE;
  if (fault !== undefined) yield { line: line + 1, fault };
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
