import type { Queryable } from '../../../db/client.ts';
import { findSearchedCustomers } from '../search/find-customers.ts';
import type { Term } from '../search/readings.ts';
import type { Scope } from '../search/searched-customers.queries.ts';
import { findCustomersByNumber, findCustomersOfInvoices } from './chosen-customers.queries.ts';

/** How many customers one token may match. */
const MOST_CHOSEN = 2_000;

/**
 * The customers that each token of a search matches; `chosen` is null without tokens, and `isMany` if more match. A
 * number is the customer's own or a work order's; a token about payments matches nobody.
 */
export async function chooseCustomers(
  db: Queryable,
  scope: Scope & { terms: readonly Term[] },
): Promise<{ chosen: number[][] | null; isMany: boolean }> {
  if (scope.terms.length === 0) return { chosen: null, isMany: false };
  const { byReading, isMany } = await findSearchedCustomers(db, { ...scope, limit: MOST_CHOSEN });
  const chosen = await Promise.all(
    scope.terms.map(async ({ readings, number }) => {
      const asked = (of: number) => ({ actorId: scope.actorId, number: of, limit: MOST_CHOSEN });
      const ids = await Promise.all(
        readings.map(async (reading) =>
          reading.kind === 'work-order'
            ? findCustomersOfInvoices(db, asked(reading.number))
            : (byReading.get(reading) ?? []),
        ),
      );
      // `#1042` isn't plain digits, and may still be the customer.
      const own = number ?? readings.find((reading) => reading.kind === 'work-order')?.number;
      if (own !== undefined) ids.push(await findCustomersByNumber(db, asked(own)));
      return [...new Set(ids.flat())];
    }),
  );
  return { chosen, isMany };
}
