import type { Deps } from '../../../deps.ts';
import {
  BEFORE_ALL_INTENTS,
  type CheckedPage,
  checkIntents,
  checkInvoices,
  type Violation,
} from './books.queries.ts';
import { tellOfViolations } from './check-books.ts';
import { keepViolations } from './known-violations.queries.ts';

/** Keeps each statement to a fraction of a second, so that it blocks nothing and isn't cut off on a busy machine. */
export const AT_A_TIME = 1_000;
/** Enough to see what is wrong; entirely broken books would fill the log. */
const MOST_TOLD = 100;

type CheckDeps = Pick<Deps, 'db' | 'log' | 'underWay'>;

/** Checks all the books page by page. Finds what somebody changed by hand in an old payment. */
export async function checkAllBooks(deps: CheckDeps): Promise<void> {
  const { query } = deps.db;
  const violations = [
    ...(await checkPages(deps, BEFORE_ALL_INTENTS, (after) =>
      checkIntents(query, { after, limit: AT_A_TIME }),
    )),
    ...(await checkPages(deps, 0, (after) => checkInvoices(query, { after, limit: AT_A_TIME }))),
  ];
  const isWhole = !deps.underWay.isEnding();
  await keepViolations(query, { foundBy: 'check-all-books', violations, isWhole });
  if (isWhole) deps.log.info({ violations: violations.length }, 'checked all the books');
}

/** Returns the violations that it logged. A process that shuts down stops between pages; the next night catches up. */
async function checkPages<Place>(
  { log, underWay }: CheckDeps,
  first: Place,
  check: (after: Place) => Promise<CheckedPage<Place>>,
): Promise<Violation[]> {
  const told: Violation[] = [];
  for (let after: Place | null = first; after !== null && !underWay.isEnding() && told.length < MOST_TOLD; ) {
    const { violations, last }: CheckedPage<Place> = await check(after);
    const shown = violations.slice(0, MOST_TOLD - told.length);
    tellOfViolations(log, shown);
    told.push(...shown);
    after = last;
  }
  return told;
}
