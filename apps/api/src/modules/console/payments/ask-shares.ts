import type { PaymentFilters } from '@brightpane/contract/office/payments';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, ok } from '../../../http/result.ts';
import { listVisibleOffices, type VisibleOffice } from '../lists/visible-offices.queries.ts';
import { zoneDays } from '../lists/zone-days.ts';
import { findSearchedCustomers } from '../search/find-customers.ts';
import { readSearch } from '../search/read-search.ts';
import type { Term } from '../search/readings.ts';
import type { ShareFilters } from './share-filters.ts';

export type AskedShares = {
  filters: ShareFilters;
  offices: VisibleOffice[];
  terms: readonly Term[];
  hasManyCustomers: boolean;
};

export type Unclear = Failure<'unclear' | 'too-long'> & { sentence: string };

/** Resolves a caller's filters: their franchises, the days in each, and the customers that the search may mean. */
export async function askShares(
  { db }: Pick<Deps, 'db'>,
  {
    caller,
    asked,
    mostCustomers,
  }: {
    caller: Pick<OfficeCaller, 'id' | 'isForAll'>;
    asked: PaymentFilters;
    mostCustomers?: number | undefined;
  },
): Promise<{ ok: true; value: AskedShares } | Unclear> {
  const { search = '', franchiseId = null, from, to, order, state, method, minAmount, maxAmount } = asked;
  const read = readSearch(search);
  if (!read.ok) return read;
  const terms = read.value;
  const actorId = caller.id;
  const offices = await listVisibleOffices(db.query, { actorId, franchiseId });
  const found = await findSearchedCustomers(db.query, { actorId, offices, terms, limit: mostCustomers });
  const filters: ShareFilters = {
    actorId,
    isOfAll: caller.isForAll && franchiseId === null,
    franchiseId,
    days: zoneDays(offices, { from, to, terms }),
    terms,
    customers: found.byReading,
    isOldestFirst: order === 'oldest',
    state,
    method,
    minAmount,
    maxAmount,
  };
  return ok({ filters, offices, terms, hasManyCustomers: found.isMany });
}
