import type { Payments } from '@brightpane/contract/invoices/payment-history';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../../console/lists/cursor.ts';
import { instantKey, textKey } from '../../console/lists/cursor-keys.ts';
import { PAGE_ROWS } from '../../console/lists/pages.ts';
import { isLocationVisible } from '../../locations/locations.queries.ts';
import { selectPaymentPage } from './payment-lines.queries.ts';
import { presentPayments } from './present-payment.ts';

export type HistoryFilters = { year?: number | undefined; locationId?: number | undefined };

const PLACE = z.tuple([instantKey(), textKey().max(50)]);

/** A page of an account's payments in a year, newest first. */
export async function listPayments(
  deps: Deps,
  { userId, cursor, ...filters }: HistoryFilters & { userId: string; cursor?: string | undefined },
) {
  const marked = { list: 'history', ...filters };
  const place = readPlace(cursor, { filters: marked, keys: PLACE });
  if (!place.ok) return place;
  if (!(await isThere(deps, { userId, ...filters }))) return fail('location-not-found');

  const { rows, years } = await selectPaymentPage(deps.db.query, toAsked(userId, filters), {
    after: place.value && { at: place.value[0], paymentId: place.value[1] },
    limit: PAGE_ROWS + 1,
  });
  const items = presentPayments(deps, rows);
  const last = items.length > PAGE_ROWS ? items[PAGE_ROWS - 1] : undefined;
  const end = last && rows.find(({ paymentId }) => paymentId === last.paymentId);
  return ok<Payments>({
    items: items.slice(0, PAGE_ROWS),
    next: end ? writeCursor([end.placedAt, end.paymentId], marked) : null,
    years,
  });
}

export const toAsked = (userId: string, { year, locationId }: HistoryFilters) => ({
  userId,
  year: year ?? null,
  locationId: locationId ?? null,
});

/** True if no location is asked for. */
export async function isThere(
  deps: Pick<Deps, 'db'>,
  { userId, locationId }: HistoryFilters & { userId: string },
): Promise<boolean> {
  return locationId === undefined || isLocationVisible(deps.db.query, { userId, locationId });
}
