import type { Queryable } from '../../../db/client.ts';
import type { Reading, Term } from './readings.ts';
import {
  findCustomersByEmail,
  findCustomersByWords,
  listSearched,
  type Scope,
} from './searched-customers.queries.ts';

/** So many customers of one search are looked at by lists of other things. */
const MOST_CUSTOMERS = 50;

export type FoundCustomers = {
  /** Of each reading that names customers. */
  byReading: ReadonlyMap<Reading, readonly number[]>;
  /** More match than were taken. */
  isMany: boolean;
};

/**
 * The customers that words and addresses of a search stand for. Words of several tokens are those of one customer, so
 * that two common ones find the few who have both.
 */
export async function findSearchedCustomers(
  db: Queryable,
  { terms, limit = MOST_CUSTOMERS, ...asked }: Scope & { terms: readonly Term[]; limit?: number },
): Promise<FoundCustomers> {
  const byReading = new Map<Reading, number[]>();
  if (!terms.some(({ readings }) => readings.some(isOfCustomers))) return { byReading, isMany: false };
  const scope = await listSearched(db, asked);
  let isMany = false;
  const keep = (reading: Reading, ids: number[]) => {
    byReading.set(reading, ids.slice(0, limit));
    isMany ||= ids.length > limit;
  };
  // What nothing but words can mean holds for every customer of the search.
  const required = terms.flatMap(({ readings }) =>
    readings.length === 1 && readings[0]?.kind === 'words' ? readings[0].words : [],
  );
  let ofRequired: number[] | undefined;
  for (const reading of terms.flatMap(({ readings }) => readings)) {
    if (reading.kind === 'email') {
      keep(reading, await findCustomersByEmail(db, { ...scope, prefix: reading.prefix, limit: limit + 1 }));
    }
    if (reading.kind !== 'words') continue;
    if (reading.words.every((word) => required.includes(word))) {
      ofRequired ??= await findCustomersByWords(db, { ...scope, words: required, limit: limit + 1 });
      keep(reading, ofRequired);
    } else {
      const words = [...required, ...reading.words];
      keep(reading, await findCustomersByWords(db, { ...scope, words, limit: limit + 1 }));
    }
  }
  return { byReading, isMany };
}

const isOfCustomers = ({ kind }: Reading) => kind === 'words' || kind === 'email';
