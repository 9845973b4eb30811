import type { PaymentFilters, PaymentList } from '@brightpane/contract/office/payments';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { franchiseDay } from '../../../franchise-day.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { ok } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../lists/cursor.ts';
import { franchiseKey, instantKey } from '../lists/cursor-keys.ts';
import { lookFurther, PAGE_ROWS } from '../lists/pages.ts';
import { todayOf } from '../lists/zone-days.ts';
import { describeTerms } from '../search/describe-terms.ts';
import { askShares } from './ask-shares.ts';
import { presentShare } from './payments.presenter.ts';
import type { SharePlace } from './share-filters.ts';
import { countUnderWay, type ShareRow, selectShares } from './shares.queries.ts';

const UTC = 'UTC';
const KEYS = z.tuple([instantKey(), z.guid(), franchiseKey()]);

/** A page of payments, one row per franchise paid. */
export async function listPayments(
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller, asked }: { caller: OfficeCaller; asked: PaymentFilters & { cursor?: string | undefined } },
) {
  const { cursor, ...filters } = asked;
  const place = readPlace(cursor, { filters: marked(filters), keys: KEYS });
  if (!place.ok) return place;
  const after = place.value && toPlace(place.value);
  const found = await askShares(deps, { caller, asked: filters });
  if (!found.ok) return found;

  const { offices, terms, hasManyCustomers } = found.value;
  const { db } = deps;
  const limit = PAGE_ROWS + 1;
  const [page, underWay] = await Promise.all([
    lookFurther(
      (most) => selectShares(db.query, found.value.filters, { after, limit, most }),
      ({ rows, bound }) => rows.length > PAGE_ROWS || bound === null,
    ),
    countUnderWay(db.query, { actorId: caller.id, franchiseId: filters.franchiseId ?? null }),
  ]);
  const shown = page.rows.slice(0, PAGE_ROWS);
  const last = shown.at(-1);
  const next = page.rows.length > PAGE_ROWS && last ? placeOf(last) : page.bound;
  const isCutShort = page.rows.length <= PAGE_ROWS && page.bound !== null;
  return ok<PaymentList>({
    items: shown.map(presentShare),
    next: next && writeCursor([next.at, next.chargeId, next.franchiseId], marked(filters)),
    underWay,
    ...(isCutShort && page.bound && { searchedTo: dayOf(page.bound, offices) }),
    ...(terms.length > 0 && { readAs: describeTerms(terms, todayOf(deps, offices)) }),
    ...(hasManyCustomers && { hasManyCustomers }),
  });
}

const marked = (filters: PaymentFilters) => ({ list: 'payments', ...filters });

const placeOf = ({ at, chargeId, franchiseId }: ShareRow): SharePlace => ({ at, chargeId, franchiseId });

const toPlace = ([at, chargeId, franchiseId]: z.output<typeof KEYS>): SharePlace => ({
  at,
  chargeId,
  franchiseId,
});

function dayOf(place: SharePlace, offices: { franchiseId: number; timeZone: string }[]): string {
  const office = offices.find(({ franchiseId }) => franchiseId === place.franchiseId) ?? offices[0];
  return franchiseDay(place.at, office?.timeZone ?? UTC);
}
