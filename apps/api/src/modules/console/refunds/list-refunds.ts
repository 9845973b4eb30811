import type { RefundFilters, RefundList } from '@brightpane/contract/office/refunds';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, ok, type Success } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../lists/cursor.ts';
import { instantKey } from '../lists/cursor-keys.ts';
import { PAGE_ROWS } from '../lists/pages.ts';
import { listRefundPage } from './refund-list.queries.ts';
import { selectListedRefunds } from './refund-rows.queries.ts';
import { presentRefund } from './refunds.presenter.ts';

const KEYS = z.tuple([instantKey(), z.guid()]);

/** The refunds that a caller sees, judged by their own lines. */
export async function listRefunds(
  { db }: Pick<Deps, 'db'>,
  { caller, filters, cursor }: { caller: OfficeCaller; filters: RefundFilters; cursor: string | undefined },
): Promise<Success<RefundList> | Failure<'cursor-unknown'>> {
  const marked = { list: 'refunds', ...filters };
  const place = readPlace(cursor, { filters: marked, keys: KEYS });
  if (!place.ok) return place;
  const after = place.value && { at: place.value[0], id: place.value[1] };
  const actorId = caller.id;
  const asked = { actorId, filters, after, limit: PAGE_ROWS + 1 };
  const { refundIds, lookedTo } = await listRefundPage(db.query, asked);
  const page = refundIds.slice(0, PAGE_ROWS);
  const rows = await selectListedRefunds(db.query, {
    actorId,
    refundIds: page.map(({ id }) => id),
    franchiseId: filters.franchiseId,
  });
  const isFull = refundIds.length > PAGE_ROWS;
  const last = isFull ? page.at(-1) : lookedTo;
  return ok({
    items: page.flatMap(({ id }) => rows.filter(({ refundId }) => refundId === id).map(presentRefund)),
    next: last ? writeCursor([last.at, last.id], marked) : null,
    ...(!isFull && lookedTo && { searchedTo: lookedTo.day }),
  });
}
