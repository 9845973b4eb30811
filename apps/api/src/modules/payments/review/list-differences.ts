import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { readCursor, writeCursor } from '../../console/lists/cursor.ts';
import { instantKey } from '../../console/lists/cursor-keys.ts';
import { PAGE_ROWS } from '../../console/lists/pages.ts';
import {
  findLastComparison,
  type LastComparison,
  type ListedDifference,
  listAcknowledgedDifferences,
  listOpenDifferences,
} from './differences.queries.ts';

export type DifferenceState = 'open' | 'acknowledged';

type Listed = { items: ListedDifference[]; next: string | null; lastComparison: LastComparison | null };

const OPEN_KEYS = z.tuple([z.int()]);
const ACKNOWLEDGED_KEYS = z.tuple([instantKey(), z.int()]);

/** Differences that comparisons found, with people's notes. */
export async function listDifferences(
  { db }: Pick<Deps, 'db'>,
  { state, cursor }: { state: DifferenceState; cursor: string | undefined },
): Promise<Success<Listed> | Failure<'cursor-unknown'>> {
  const filters = { list: 'differences', state };
  const page = await readPage({ db }, { state, cursor, filters });
  if (!page) return fail('cursor-unknown');
  const items = page.slice(0, PAGE_ROWS);
  const last = page.length > PAGE_ROWS ? items.at(-1) : undefined;
  return ok({
    items,
    next: last ? writeCursor(keysOf(last), filters) : null,
    lastComparison: await findLastComparison(db.query),
  });
}

async function readPage(
  { db }: Pick<Deps, 'db'>,
  { state, cursor, filters }: { state: DifferenceState; cursor: string | undefined; filters: object },
): Promise<ListedDifference[] | null> {
  const limit = PAGE_ROWS + 1;
  if (state === 'open') {
    const keys = cursor === undefined ? undefined : readCursor(cursor, { filters, keys: OPEN_KEYS });
    return keys === null ? null : listOpenDifferences(db.query, { after: keys?.[0] ?? null, limit });
  }
  const keys = cursor === undefined ? undefined : readCursor(cursor, { filters, keys: ACKNOWLEDGED_KEYS });
  if (keys === null) return null;
  const after = keys ? { at: keys[0], id: keys[1] } : null;
  return listAcknowledgedDifferences(db.query, { after, limit });
}

const keysOf = ({ acknowledgedAt, differenceId }: ListedDifference) =>
  acknowledgedAt === null ? [differenceId] : [acknowledgedAt, differenceId];
