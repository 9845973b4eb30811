import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { presentCells, type RowOfBooks } from '../import/check/present-row.ts';
import { findAnchors } from './find-anchors.ts';
import { listMovedPlaces, listUndo, type OwnedPlace, type UndoRow } from './undo.queries.ts';

type Asked = { reader: OfficeCaller; importId: string };

const ROWS_AT_A_TIME = 1_000;

/**
 * Writes the file that undoes an import, in the import's own columns and with exact text. The last row for a place
 * decides its owner, so rows of the customer whose it shall be come last: the present owner or, where the import moved
 * the place, the one before.
 */
export async function* writeUndoFile(db: Queryable, asked: Asked): AsyncGenerator<string> {
  yield line(INVOICE_COLUMNS);
  const moved = new Map((await listMovedPlaces(db, asked)).map((place) => [keyOf(place), place.ownerNumber]));
  const placeOf = ({ row, ownerNumber }: UndoRow) => {
    const { franchise_id: franchiseId, location_number: locationNumber } = row;
    const key = keyOf({ franchiseId, locationNumber });
    return { key, franchiseId, locationNumber, ownerNumber: moved.get(key) ?? ownerNumber };
  };
  const unanchored = new Map<string, OwnedPlace>();
  for await (const undo of undoRows(db, asked)) {
    const { key, ownerNumber, ...place } = placeOf(undo);
    if (ownerNumber === null || ownerNumber === undo.row.customer_number) continue;
    yield lineOf(undo.row);
    unanchored.set(key, { ...place, ownerNumber });
  }
  for await (const undo of undoRows(db, asked)) {
    const { key, ownerNumber } = placeOf(undo);
    if (ownerNumber !== null && ownerNumber !== undo.row.customer_number) continue;
    yield lineOf(undo.row);
    unanchored.delete(key);
  }
  if (unanchored.size === 0) return;
  const anchors = await findAnchors(db, asked, {
    places: [...unanchored.values()],
    rows: undoRows(db, asked),
  });
  for (const row of anchors) yield lineOf(row);
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

const keyOf = (place: { franchiseId: number; locationNumber: number }) =>
  `${place.franchiseId} ${place.locationNumber}`;

const lineOf = (row: RowOfBooks) => line(presentCells(row));

const line = (values: readonly string[]) =>
  `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\r\n`;
