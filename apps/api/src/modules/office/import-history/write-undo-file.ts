import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { presentCells, type RowOfBooks } from '../import/check/present-row.ts';
import { listAnchors, listUndo, type UndoRow } from './undo.queries.ts';

type Asked = { reader: OfficeCaller; importId: string };

const ROWS_AT_A_TIME = 1_000;

/**
 * Writes the file that undoes an import, in the import's own columns and with exact text. The last row for a place
 * decides its owner, so rows of the place's own customer come last.
 */
export async function* writeUndoFile(db: Queryable, asked: Asked): AsyncGenerator<string> {
  yield line(INVOICE_COLUMNS);
  const unanchored = new Map<string, { franchiseId: number; locationNumber: number }>();
  for await (const undo of undoRows(db, asked)) {
    if (undo.namesOwner) continue;
    yield lineOf(undo.row);
    if (undo.keepsCustomer) unanchored.set(keyOf(undo.row), placeOf(undo.row));
  }
  for await (const undo of undoRows(db, asked)) {
    if (!undo.namesOwner) continue;
    yield lineOf(undo.row);
    unanchored.delete(keyOf(undo.row));
  }
  if (unanchored.size === 0) return;
  for (const row of await listAnchors(db, [...unanchored.values()])) yield lineOf(row);
}

async function* undoRows(db: Queryable, asked: Asked): AsyncGenerator<UndoRow> {
  let after = 0;
  for (;;) {
    const page = await listUndo(db, { ...asked, after, limit: ROWS_AT_A_TIME });
    yield* page.filter(({ isChangedSince }) => !isChangedSince);
    if (page.length < ROWS_AT_A_TIME) return;
    after = page.at(-1)?.invoiceId ?? after;
  }
}

const placeOf = (row: RowOfBooks) => ({
  franchiseId: row.franchise_id,
  locationNumber: row.location_number,
});

const keyOf = (row: RowOfBooks) => `${row.franchise_id} ${row.location_number}`;

const lineOf = (row: RowOfBooks) => line(presentCells(row));

const line = (values: readonly string[]) =>
  `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\r\n`;
