import type { AuditFilters, AuditList } from '@brightpane/contract/office/audit';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, ok, type Success } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../lists/cursor.ts';
import { instantKey } from '../lists/cursor-keys.ts';
import { PAGE_ROWS } from '../lists/pages.ts';
import { listActs } from './audit.queries.ts';
import { presentAct } from './present-act.ts';

const KEYS = z.tuple([instantKey(), z.int()]);

/** What was done by hand, and by whom. */
export async function listAudit(
  { db }: Pick<Deps, 'db'>,
  { reader, filters, cursor }: { reader: OfficeCaller; filters: AuditFilters; cursor: string | undefined },
): Promise<Success<AuditList> | Failure<'cursor-unknown'>> {
  const marked = { list: 'audit', ...filters };
  const place = readPlace(cursor, { filters: marked, keys: KEYS });
  if (!place.ok) return place;
  const after = place.value && { at: place.value[0], id: place.value[1] };
  const { rows, lookedTo } = await listActs(db.query, { reader, filters, after, limit: PAGE_ROWS + 1 });
  const items = rows.slice(0, PAGE_ROWS);
  const isFull = rows.length > PAGE_ROWS;
  const last = isFull ? items.at(-1) : lookedTo;
  return ok({
    items: items.map(presentAct),
    next: last ? writeCursor([last.at, last.id], marked) : null,
    ...(!isFull && lookedTo && { searchedTo: lookedTo.day }),
  });
}
