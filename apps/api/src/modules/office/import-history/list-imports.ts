import type { Imports } from '@brightpane/contract/office/imports';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { readCursor, writeCursor } from '../../console/lists/cursor.ts';
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
  const keys = cursor === undefined ? undefined : readCursor(cursor, { filters, keys: KEYS });
  if (keys === null) return fail('cursor-unknown');
  const after = keys ? { startedAt: keys[0], importId: keys[1] } : null;
  const rows = await selectImports(db.query, { reader, franchiseId, after, limit: PAGE_ROWS + 1 });
  const items = rows.slice(0, PAGE_ROWS);
  const last = items.at(-1);
  const hasMore = rows.length > PAGE_ROWS && last !== undefined;
  return ok({ items, next: hasMore ? writeCursor([last.startedAt, last.importId], filters) : null });
}
