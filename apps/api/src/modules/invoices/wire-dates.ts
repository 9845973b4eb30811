import { zonedTime } from '../../franchise-day.ts';
import { keepResults } from '../../keep-results.ts';

/** A list names a few dates many times over. */
const kept = keepResults<string>();

function keptZonedTime(date: string, time: string, timeZone: string): string {
  return kept(`${date} ${time} ${timeZone}`, () => zonedTime(date, time, timeZone));
}

/** An invoice is due until the day has ended where the franchise is. */
export function wireDueDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '23:59:59', timeZone);
}

/** Work was completed on a day, not at a time: noon keeps the day the same in any reader's zone near it. */
export function wireCompletedDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '12:00:00', timeZone);
}
