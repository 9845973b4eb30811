import type { Queryable } from '../../../db/client.ts';
import type { Reading, Term } from './readings.ts';
import {
  findCustomersByEmail,
  findCustomersByWords,
  type Scope,
  searchedIn,
} from './searched-customers.queries.ts';

/** The most customers per search that lists of other things look at. */
const MOST_CUSTOMERS = 50;
/** The most that a file of other things looks at; one that would leave some out is refused. */
export const MOST_OF_A_FILE = 1_000;

export type FoundCustomers = {
  /** For each reading that matches customers. */
  byReading: ReadonlyMap<Reading, readonly number[]>;
  /** More matched than the limit, or than were looked at. */
  isMany: boolean;
};

/**
 * The customers that a search's words and addresses match. All words must match one customer, so that two common words
 * find the few who have both.
 */
export async function findSearchedCustomers(
  db: Queryable,
  { terms, limit = MOST_CUSTOMERS, ...asked }: Scope & { terms: readonly Term[]; limit?: number | undefined },
): Promise<FoundCustomers> {
  const byReading = new Map<Reading, number[]>();
  if (!terms.some(({ readings }) => readings.some(isOfCustomers))) return { byReading, isMany: false };
  const scope = searchedIn(asked);
  let isMany = false;
  const keep = (reading: Reading, { ids, isCut = false }: { ids: number[]; isCut?: boolean }) => {
    byReading.set(reading, ids.slice(0, limit));
    isMany ||= isCut || ids.length > limit;
  };
  // A token that can only mean words must match in every result.
  const required = eachOnce(
    terms.flatMap(({ readings, number }) =>
      readings.length === 1 && readings[0]?.kind === 'words' && number === undefined ? readings[0].words : [],
    ),
  );
  const isRequired = ({ words }: Words) => words.every((word) => required.includes(word));
  const readings = terms.flatMap((term) => term.readings);
  let ofRequired: Awaited<ReturnType<typeof findCustomersByWords>> | undefined;
  for (const reading of readings) {
    if (reading.kind === 'email') {
      const ids = await findCustomersByEmail(db, { ...scope, prefix: reading.prefix, limit: limit + 1 });
      keep(reading, { ids });
    }
    if (reading.kind !== 'words') continue;
    if (isRequired(reading)) {
      ofRequired ??= await findCustomersByWords(db, { ...scope, words: required, limit: limit + 1 });
      keep(reading, ofRequired);
    } else {
      const words = eachOnce([...required, ...reading.words]);
      keep(reading, await findCustomersByWords(db, { ...scope, words, limit: limit + 1 }));
    }
  }
  // Who has more of the words has the required ones too, but a list of those alone may be cut before them.
  const ofWords = readings.filter((reading) => reading.kind === 'words');
  const more = ofWords.filter((reading) => !isRequired(reading));
  const withAll =
    more.length > 1
      ? await findCustomersByWords(db, {
          ...scope,
          words: eachOnce(ofWords.flatMap(({ words }) => words)),
          limit,
        })
      : { ids: [] };
  const withMore = [...withAll.ids, ...more.flatMap((reading) => byReading.get(reading) ?? [])];
  for (const reading of ofWords) {
    const also = isRequired(reading) ? withMore : withAll.ids;
    byReading.set(reading, [...new Set([...(byReading.get(reading) ?? []), ...also])]);
  }
  return { byReading, isMany };
}

type Words = Extract<Reading, { kind: 'words' }>;

const eachOnce = (words: readonly string[]) => [...new Set(words)];

const isOfCustomers = ({ kind }: Reading) => kind === 'words' || kind === 'email';
