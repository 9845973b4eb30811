import { pipeline } from 'node:stream/promises';
import type { ProblemError } from '@brightpane/contract/problem';
import type { Actor } from '../../../db/audit-columns.ts';
import { openSession, type Session } from '../../../db/session.ts';
import type { Deps } from '../../../deps.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { recordOfficeAct } from '../../acts/record-office-act.ts';
import { ImportFaults } from '../rows/import-faults.ts';
import { readInvoiceRow } from '../rows/read-invoice-row.ts';
import type { SourceRow } from '../rows/source-row.ts';
import {
  analyzeStaging,
  createStaging,
  insertInvoices,
  leaveInvoicesBehind,
  lockDifferingInvoices,
  lockImports,
  type Overpaid,
  stagingLine,
  stagingStream,
  updateInvoices,
  upsertPlaces,
} from './import.queries.ts';
import { tellOfOverpayments } from './tell-of-overpayments.ts';

export type ImportCounts = { created: number; updated: number; unchanged: number; overpaid: Overpaid[] };
export type ImportOutcome =
  | Success<ImportCounts>
  /** `count` of all bad lines; the first of them by name. */
  | (Failure<'bad-lines'> & { count: number; errors: ProblemError[] });

const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Takes an office's invoices, all of them or none. The rows stream into a table that only this import sees, so that
 * neither memory nor locks grow with the time an upload takes; one transaction then applies what differs.
 */
export async function importInvoices(
  deps: Deps,
  { rows, by }: { rows: AsyncIterable<SourceRow>; by: Actor },
): Promise<ImportOutcome> {
  const session = await openSession({
    url: deps.env.DATABASE_URL,
    applicationName: 'brightpane import',
    wakeUps: deps.db.wakeUps,
  });
  try {
    await createStaging(session);
    const { total, faults } = await stageRows(session, rows);
    if (faults.count > 0) return fail('bad-lines', { count: faults.count, errors: faults.errors });
    await analyzeStaging(session);
    const counts = await applyRows(deps, session, { total, by });
    deps.crashPoint('33-after-import');
    return ok(counts);
  } finally {
    await session.close();
  }
}

async function stageRows(
  session: Session,
  rows: AsyncIterable<SourceRow>,
): Promise<{ total: number; faults: ImportFaults }> {
  const faults = new ImportFaults();
  const seen = new WorkOrders();
  let total = 0;

  /** Reads to the end for the sake of every bad line, but stages nothing more after the first. */
  async function* goodLines(): AsyncGenerator<string> {
    let chunk = '';
    for await (const source of rows) {
      const read =
        'fault' in source ? { ok: false as const, faults: [source.fault] } : readInvoiceRow(source.values);
      if (!read.ok) {
        faults.add(source.line, read.faults.join('; '));
        continue;
      }
      const { franchiseId, workOrderNumber } = read.row;
      const earlier = seen.add(franchiseId, workOrderNumber, source.line);
      if (earlier !== undefined) {
        faults.add(
          source.line,
          `work order ${workOrderNumber} of franchise ${franchiseId} stands on line ${earlier} already`,
        );
        continue;
      }
      total++;
      if (faults.count > 0) continue;
      chunk += stagingLine(source.line, read.row);
      if (chunk.length > CHUNK_CHARACTERS) {
        yield chunk;
        chunk = '';
      }
    }
    if (chunk !== '') yield chunk;
  }

  await pipeline(goodLines, stagingStream(session));
  return { total, faults };
}

/** On which line each work order stands. */
class WorkOrders {
  readonly #lines = new Map<number, Map<number, number>>();

  /** Returns the earlier line where there is one. */
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

function applyRows(
  deps: Pick<Deps, 'crashPoint'>,
  session: Session,
  { total, by }: { total: number; by: Actor },
): Promise<ImportCounts> {
  return session.transaction(async (tx) => {
    await lockImports(tx);
    await upsertPlaces(tx);
    const inserted = await insertInvoices(tx);
    // Locked first and compared anew in a later statement: a payment may have been accepted while we waited.
    await lockDifferingInvoices(tx);
    await leaveInvoicesBehind(tx);
    const changed = await updateInvoices(tx);
    const overpaid = [...inserted.overpaid, ...changed.overpaid];
    await tellOfOverpayments(tx, { overpaid });
    const { created } = inserted;
    const { updated } = changed;
    const unchanged = total - created - updated;
    await recordOfficeAct(tx, by, {
      action: 'import',
      subject: 'invoices',
      detail: { created, updated, unchanged, overpaid: overpaid.length },
    });
    deps.crashPoint('33-inside-import');
    return { created, updated, unchanged, overpaid };
  });
}
