import type { Deps } from '../../../deps.ts';
import { franchiseDay } from '../../../franchise-day.ts';
import { type DayRange, resolveDays } from '../search/read-days.ts';
import type { Term } from '../search/readings.ts';
import type { VisibleOffice } from './visible-offices.queries.ts';

/** The requested days in one time zone; null: unbounded. */
export type ZoneDays = { timeZone: string; from: string | null; to: string | null };

/** Today as the list's first office has it; without an office, in UTC. */
export const todayOf = ({ clock }: Pick<Deps, 'clock'>, [first]: readonly VisibleOffice[]): string =>
  first?.today ?? franchiseDay(clock(), 'UTC');

/** The days of the filters and the search in each of the offices' time zones: `yesterday` differs between them. */
export function zoneDays(
  offices: readonly VisibleOffice[],
  { from, to, terms }: { from?: string | undefined; to?: string | undefined; terms: readonly Term[] },
): ZoneDays[] {
  const zones = new Map(offices.map(({ timeZone, today }) => [timeZone, today]));
  const reading = terms.flatMap(({ readings }) => readings).find(({ kind }) => kind === 'days');
  return [...zones].map(([timeZone, today]) => {
    const searched: DayRange | null = reading?.kind === 'days' ? resolveDays(reading.days, today) : null;
    return {
      timeZone,
      from: latest(from ?? null, searched?.from ?? null),
      to: earliest(to ?? null, searched?.to ?? null),
    };
  });
}

type Bound = string | null;
const latest = (one: Bound, other: Bound): Bound =>
  one === null || (other !== null && other > one) ? other : one;
const earliest = (one: Bound, other: Bound): Bound =>
  one === null || (other !== null && other < one) ? other : one;
