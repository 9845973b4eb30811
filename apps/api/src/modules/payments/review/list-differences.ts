import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { type Failure, ok, type Success } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../../console/lists/cursor.ts';
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
  if (!page.ok) return page;
  const items = page.value.slice(0, PAGE_ROWS);
  const last = page.value.length > PAGE_ROWS ? items.at(-1) : undefined;
  return ok({
    items,
    next: last ? writeCursor(keysOf(last), filters) : null,
    lastComparison: await findLastComparison(db.query),
  });
}

async function readPage(
  { db }: Pick<Deps, 'db'>,
  { state, cursor, filters }: { state: DifferenceState; cursor: string | undefined; filters: object },
): Promise<Success<ListedDifference[]> | Failure<'cursor-unknown'>> {
  const limit = PAGE_ROWS + 1;
  if (state === 'open') {
    const place = readPlace(cursor, { filters, keys: OPEN_KEYS });
    if (!place.ok) return place;
    return ok(await listOpenDifferences(db.query, { after: place.value?.[0] ?? null, limit }));
  }
  const place = readPlace(cursor, { filters, keys: ACKNOWLEDGED_KEYS });
  if (!place.ok) return place;
  const after = place.value && { at: place.value[0], id: place.value[1] };
  return ok(await listAcknowledgedDifferences(db.query, { after, limit }));
}

const keysOf = ({ acknowledgedAt, differenceId }: ListedDifference) =>
  acknowledgedAt === null ? [differenceId] : [acknowledgedAt, differenceId];
