import type { Queryable } from '../../../db/client.ts';
import { findSearchedCustomers } from '../search/find-customers.ts';
import type { Term } from '../search/readings.ts';
import { findCustomersByNumber, findCustomersOfInvoices } from './chosen-customers.queries.ts';

/** So many customers of one token are looked at. */
const MOST_CHOSEN = 2_000;

/**
 * The customers that each token of a search names; null without tokens. Numbers are the customer's own, or those of a
 * work order; what says something of payments alone names nobody.
 */
export async function chooseCustomers(
  db: Queryable,
  scope: { actorId: string; franchiseId?: number | undefined; terms: readonly Term[] },
): Promise<number[][] | null> {
  if (scope.terms.length === 0) return null;
  const { byReading } = await findSearchedCustomers(db, { ...scope, limit: MOST_CHOSEN });
  return Promise.all(
    scope.terms.map(async ({ readings }) => {
      const ids = await Promise.all(
        readings.map(async (reading) => {
          if (reading.kind !== 'work-order') return byReading.get(reading) ?? [];
          const asked = { actorId: scope.actorId, number: reading.number, limit: MOST_CHOSEN };
          return [...(await findCustomersByNumber(db, asked)), ...(await findCustomersOfInvoices(db, asked))];
        }),
      );
      return [...new Set(ids.flat())];
    }),
  );
}
