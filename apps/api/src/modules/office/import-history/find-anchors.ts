import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { RowOfBooks } from '../import/check/present-row.ts';
import { listAnchors, type OwnedPlace, type UndoRow } from './undo.queries.ts';

/**
 * Finds for each place an invoice that says whose it is, as the last row of an undo file. Of its office, customer and place
 * it says what the file's other rows say: the last row would otherwise undo those.
 */
export async function findAnchors(
  db: Queryable,
  asked: { reader: OfficeCaller; importId: string },
  { places, rows }: { places: OwnedPlace[]; rows: AsyncIterable<UndoRow> },
): Promise<RowOfBooks[]> {
  const anchors = await listAnchors(db, asked, places);
  const wanted = new Set(anchors.flatMap((anchor) => statementsOf(anchor).map(([key]) => key)));
  const stated = new Map<string, Partial<RowOfBooks>>();
  for await (const { row } of rows) {
    for (const [key, statement] of statementsOf(row)) if (wanted.has(key)) stated.set(key, statement);
  }
  return anchors.map((anchor) =>
    Object.assign({ ...anchor }, ...statementsOf(anchor).map(([key]) => stated.get(key))),
  );
}

/** What a row says of more than its invoice: of its office, its customer and its place. */
const statementsOf = (row: RowOfBooks): [key: string, statement: Partial<RowOfBooks>][] => [
  [`office ${row.franchise_id}`, pick(row, ['franchise_name', 'time_zone'])],
  [`customer ${row.franchise_id} ${row.customer_number}`, pick(row, ['customer_name', 'customer_email'])],
  [
    `place ${row.franchise_id} ${row.location_number}`,
    pick(row, ['description', 'address_line1', 'city', 'state', 'zip_code']),
  ],
];

const pick = (row: RowOfBooks, names: (keyof RowOfBooks)[]): Partial<RowOfBooks> =>
  Object.fromEntries(names.map((name) => [name, row[name]]));
