import type { InvoiceFilters, OfficeInvoiceList } from '@brightpane/contract/office/invoices';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { ok } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../lists/cursor.ts';
import { dayKey, franchiseKey } from '../lists/cursor-keys.ts';
import { lookFurther, MOST_CANDIDATES, PAGE_ROWS, readsAll } from '../lists/pages.ts';
import { listVisibleOffices } from '../lists/visible-offices.queries.ts';
import { todayOf, zoneDays } from '../lists/zone-days.ts';
import { describeTerms } from '../search/describe-terms.ts';
import { type FoundCustomers, findSearchedCustomers } from '../search/find-customers.ts';
import { readSearch } from '../search/read-search.ts';
import type { Term } from '../search/readings.ts';
import { presentInvoiceLine } from './console-invoices.presenter.ts';
import {
  findLastCandidate,
  type InvoicePlace,
  type InvoicesAsked,
  isByDue,
  selectInvoicePage,
} from './invoice-list.queries.ts';
import { countChosen, type InvoiceSearch, searchInvoices } from './invoice-search.queries.ts';

const byDue = z.tuple([dayKey(), z.int()]);
const byNumber = z.tuple([z.int(), franchiseKey()]);

type Reader = Pick<OfficeCaller, 'id' | 'isForAll'>;

/** A page of the invoices that a caller sees. */
export async function listInvoices(
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller, cursor, ...filters }: InvoiceFilters & { caller: Reader; cursor?: string | undefined },
) {
  const asked = await readAsked(deps, { caller, cursor, filters });
  if (!asked.ok) return asked;
  const { terms, customers, ...file } = asked.value;
  const query = { ...file, search: await searchPage(deps, { actorId: caller.id, terms, customers }) };
  const { found, looked } = await lookFurther(
    (most) => lookAt(deps, query, most),
    (seen) => seen.found.length > PAGE_ROWS || seen.looked === undefined,
  );
  const lines = found.slice(0, PAGE_ROWS);
  const end = found.length > PAGE_ROWS ? lines.at(-1) : undefined;
  const next = end
    ? placeOf(query, { ...end, due: end.dueDate ?? 'infinity' })
    : looked && placeOf(query, looked);
  const list: OfficeInvoiceList = {
    items: lines.map(presentInvoiceLine),
    next: next ? writeCursor(next, marked(filters)) : null,
    ...(looked && { searchedTo: looked.day }),
    ...(terms.length > 0 && { readAs: describeTerms(terms, todayOf(deps, query.offices)) }),
    ...(customers.isMany && { hasManyCustomers: true }),
  };
  return ok(list);
}

/** Picks from the invoices that the search names, or goes along the list's order if it names more than a page looks at. */
async function searchPage(
  { db }: Pick<Deps, 'db'>,
  { actorId, terms, customers }: { actorId: string; terms: readonly Term[]; customers: FoundCustomers },
): Promise<InvoiceSearch> {
  const most = MOST_CANDIDATES + 1;
  const search = searchInvoices(terms, customers, { most });
  if (search.chosen === null || (await countChosen(db.query, search.chosen, { actorId, most })) < most)
    return search;
  return { ...search, chosen: null };
}

/** A page's rows and, if it reached its limit, where it stopped looking. */
async function lookAt({ db }: Pick<Deps, 'db'>, query: InvoicesAsked, most: number) {
  const found = await selectInvoicePage(db.query, query, { most });
  const isFull = found.length > PAGE_ROWS;
  return { found, looked: isFull ? undefined : await findLastCandidate(db.query, query, { most }) };
}

/** Resolves the parameters for this caller, with everything that the search names, or tells why they aren't understood. */
export async function readAsked(
  { db }: Pick<Deps, 'db'>,
  {
    caller,
    cursor,
    filters,
    mostCustomers,
  }: {
    caller: Reader;
    cursor?: string | undefined;
    filters: InvoiceFilters;
    mostCustomers?: number | undefined;
  },
) {
  const { franchiseId, status = null, from, to } = filters;
  const read = readSearch(filters.search ?? '');
  if (!read.ok) return read;
  const terms = read.value;
  const place = readInvoicePlace(cursor, filters);
  if (!place.ok) return place;
  const actorId = caller.id;
  const offices = await listVisibleOffices(db.query, { actorId, franchiseId });
  const customers = await findSearchedCustomers(db.query, { terms, actorId, offices, limit: mostCustomers });
  const query: InvoicesAsked = {
    actorId,
    offices,
    franchiseIds: readsAll(caller, offices) ? null : offices.map((office) => office.franchiseId),
    status,
    days: zoneDays(offices, { from, to, terms }),
    search: searchInvoices(terms, customers, { most: null }),
    after: place.value,
  };
  return ok({ ...query, terms, customers });
}

function readInvoicePlace(cursor: string | undefined, filters: InvoiceFilters) {
  const fit = { filters: marked(filters) };
  if (isByDue(filters.status ?? null)) {
    const place = readPlace(cursor, { ...fit, keys: byDue });
    return place.ok
      ? ok<InvoicePlace | null>(place.value && { due: place.value[0], id: place.value[1] })
      : place;
  }
  const place = readPlace(cursor, { ...fit, keys: byNumber });
  if (!place.ok) return place;
  return ok<InvoicePlace | null>(
    place.value && { workOrderNumber: place.value[0], franchiseId: place.value[1] },
  );
}

const marked = (filters: InvoiceFilters) => ({ list: 'invoices', ...filters });

const placeOf = (
  { status }: InvoicesAsked,
  row: { due: string; id: number; workOrderNumber: number; franchiseId: number },
) => (isByDue(status) ? [row.due, row.id] : [row.workOrderNumber, row.franchiseId]);
