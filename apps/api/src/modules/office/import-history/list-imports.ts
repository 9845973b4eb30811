import type { Imports } from '@brightpane/contract/office/imports';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, ok, type Success } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../../console/lists/cursor.ts';
import { instantKey } from '../../console/lists/cursor-keys.ts';
import { PAGE_ROWS } from '../../console/lists/pages.ts';
import { listImports as selectImports } from './import-history.queries.ts';

const KEYS = z.tuple([instantKey(), z.uuid()]);

/** The history of imports, newest first. */
export async function listImports(
  { db }: Pick<Deps, 'db'>,
  {
    reader,
    franchiseId,
    cursor,
  }: { reader: OfficeCaller; franchiseId?: number | undefined; cursor?: string | undefined },
): Promise<Success<Imports> | Failure<'cursor-unknown'>> {
  const filters = { list: 'imports', franchiseId };
  const place = readPlace(cursor, { filters, keys: KEYS });
  if (!place.ok) return place;
  const after = place.value && { startedAt: place.value[0], importId: place.value[1] };
  const rows = await selectImports(db.query, { reader, franchiseId, after, limit: PAGE_ROWS + 1 });
  const items = rows.slice(0, PAGE_ROWS);
  const last = items.at(-1);
  const hasMore = rows.length > PAGE_ROWS && last !== undefined;
  return ok({ items, next: hasMore ? writeCursor([last.startedAt, last.importId], filters) : null });
}
