import type { CustomerFilters, CustomerList } from '@brightpane/contract/office/customers';
import * as z from 'zod';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { ok } from '../../../http/result.ts';
import { readPlace, writeCursor } from '../lists/cursor.ts';
import { textKey } from '../lists/cursor-keys.ts';
import { lookFurther, PAGE_ROWS, readsAll } from '../lists/pages.ts';
import { listVisibleOffices } from '../lists/visible-offices.queries.ts';
import { todayOf } from '../lists/zone-days.ts';
import { describeTerms } from '../search/describe-terms.ts';
import { readSearch } from '../search/read-search.ts';
import { chooseCustomers } from './choose-customers.ts';
import { type CustomersAsked, findLastCustomer, selectCustomerPage } from './customer-list.queries.ts';
import { presentCustomerLine } from './customers.presenter.ts';

const KEYS = z.tuple([textKey(), z.int()]);

/** A page of the customers that a caller sees, by name. */
export async function listCustomers(
  deps: Pick<Deps, 'db' | 'clock'>,
  {
    caller,
    cursor,
    ...filters
  }: CustomerFilters & { caller: Pick<OfficeCaller, 'id' | 'isForAll'>; cursor?: string | undefined },
) {
  const { db } = deps;
  const { franchiseId, account = null } = filters;
  const read = readSearch(filters.search ?? '');
  if (!read.ok) return read;
  const terms = read.value;
  const marked = { list: 'customers', ...filters };
  const place = readPlace(cursor, { filters: marked, keys: KEYS });
  if (!place.ok) return place;
  const actorId = caller.id;
  const offices = await listVisibleOffices(db.query, { actorId, franchiseId });
  const { chosen, isMany } = await chooseCustomers(db.query, { actorId, offices, terms });
  const asked: CustomersAsked = {
    actorId,
    franchiseIds: readsAll(caller, offices) ? null : offices.map((office) => office.franchiseId),
    account,
    chosen,
    after: place.value && { nameKey: place.value[0], id: place.value[1] },
  };
  const { found, end } = await lookFurther(
    (most) => lookAt(db.query, asked, most),
    (seen) => seen.found.length > PAGE_ROWS || seen.end === undefined,
  );
  const lines = found.slice(0, PAGE_ROWS);
  const list: CustomerList = {
    items: lines.map(presentCustomerLine),
    next: end ? writeCursor([end.nameKey, end.id], marked) : null,
    // By name: no day tells how far the page looked.
    ...(end && found.length <= PAGE_ROWS && { searchedTo: null }),
    ...(terms.length > 0 && { readAs: describeTerms(terms, todayOf(deps, offices)) }),
    ...(isMany && { hasManyCustomers: true }),
  };
  return ok(list);
}

/** A page's rows and, if there is one, the start of the next page. */
async function lookAt(db: Queryable, asked: CustomersAsked, most: number) {
  const found = await selectCustomerPage(db, asked, { most });
  const last = found[PAGE_ROWS - 1];
  const isFull = found.length > PAGE_ROWS && last;
  return { found, end: isFull ? last : await findLastCustomer(db, asked, { most }) };
}
