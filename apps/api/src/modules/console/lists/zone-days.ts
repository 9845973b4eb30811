import { type DayRange, resolveDays } from '../search/read-days.ts';
import type { Term } from '../search/readings.ts';
import type { VisibleOffice } from './visible-offices.queries.ts';

/** The days that a list asks for in one time zone; null: no bound. */
export type ZoneDays = { timeZone: string; from: string | null; to: string | null };

/** The filters' days and those of the search, in each zone of the offices: `yesterday` is not the same day in all of them. */
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
