import { pipeline } from 'node:stream/promises';
import type { OwnConnection } from '../../../db/own-connection.ts';
import { ImportFaults } from '../rows/import-faults.ts';
import { type InvoiceRow, readInvoiceRow } from '../rows/read-invoice-row.ts';
import { lineFault, type RowFault, valueFault } from '../rows/row-fault.ts';
import type { SourceRow } from '../rows/source-row.ts';
import { analyzeStaging, createStaging, stagingLine, stagingStream } from './staging.queries.ts';

export type Staged = {
  /** The number of good rows. */
  total: number;
  faults: ImportFaults;
};

/** Small, because what waits to be sent outlives a collection of the young, and is then only collected with the old. */
const CHUNK_CHARACTERS = 8 * 1024;
/** Report progress after this many rows. */
const TOLD_ROWS = 5_000;

/**
 * Streams the rows into a table private to this connection, so that neither memory nor locks grow with the duration of
 * an upload. After a bad row nothing is staged, but it reads to the end to find all bad rows.
 */
export async function stageRows(
  connection: OwnConnection,
  {
    rows,
    faultsOf,
    onRead,
  }: {
    rows: AsyncIterable<SourceRow>;
    /** Faults of a valid row that depend on who sends it. */
    faultsOf: (row: InvoiceRow) => RowFault[];
    onRead: (rows: number) => Promise<void>;
  },
): Promise<Staged> {
  await createStaging(connection);
  const faults = new ImportFaults();
  const seen = new WorkOrders();
  let total = 0;
  let read = 0;

  async function* goodLines(): AsyncGenerator<string> {
    let chunk: string[] = [];
    let characters = 0;
    for await (const source of rows) {
      if (++read % TOLD_ROWS === 0) await onRead(read);
      const judged = judge(source, { seen, faultsOf });
      if (!judged.ok) {
        faults.add(source.line, judged.faults);
        continue;
      }
      total++;
      if (faults.count > 0) continue;
      const line = stagingLine(source.line, judged.row);
      characters += line.length;
      chunk.push(line);
      if (characters > CHUNK_CHARACTERS) {
        yield chunk.join('');
        chunk = [];
        characters = 0;
      }
    }
    if (chunk.length > 0) yield chunk.join('');
  }

  await pipeline(goodLines, stagingStream(connection));
  await onRead(read);
  if (faults.count === 0) await analyzeStaging(connection);
  return { total, faults };
}

function judge(
  source: SourceRow,
  { seen, faultsOf }: { seen: WorkOrders; faultsOf: (row: InvoiceRow) => RowFault[] },
): { ok: true; row: InvoiceRow } | { ok: false; faults: RowFault[] } {
  if ('fault' in source) return { ok: false, faults: [lineFault(source.fault)] };
  const read = readInvoiceRow(source.values);
  if (!read.ok) return read;
  const { franchiseId, workOrderNumber } = read.row;
  const earlier = seen.add(franchiseId, workOrderNumber, source.line);
  if (earlier !== undefined) {
    const rule = `stands on line ${earlier} already`;
    const sentence = `work order ${workOrderNumber} of franchise ${franchiseId} ${rule}`;
    return {
      ok: false,
      faults: [{ ...valueFault('workOrderNumber', String(workOrderNumber), rule), sentence }],
    };
  }
  const faults = faultsOf(read.row);
  return faults.length > 0 ? { ok: false, faults } : read;
}

/** Remembers each work order's line. */
class WorkOrders {
  readonly #lines = new Map<number, Map<number, number>>();

  /** Returns the earlier line of a duplicate. */
  add(franchiseId: number, workOrderNumber: number, line: number): number | undefined {
    let lines = this.#lines.get(franchiseId);
    if (!lines) {
      lines = new Map();
      this.#lines.set(franchiseId, lines);
    }
    const earlier = lines.get(workOrderNumber);
    if (earlier === undefined) lines.set(workOrderNumber, line);
    return earlier;
  }
}
