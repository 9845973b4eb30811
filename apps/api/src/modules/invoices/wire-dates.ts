import { zonedTime } from '../../franchise-day.ts';
import { keepResults } from '../../keep-results.ts';

/** Cached, as a list repeats a few dates many times. */
const kept = keepResults<string>();

function keptZonedTime(date: string, time: string, timeZone: string): string {
  return kept(`${date} ${time} ${timeZone}`, () => zonedTime(date, time, timeZone));
}

/** An invoice is due until the end of the day in the franchise's time zone. */
export function wireDueDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '23:59:59', timeZone);
}

/** Work is completed on a day, not at a time; noon stays the same day in nearby time zones. */
export function wireCompletedDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '12:00:00', timeZone);
}
