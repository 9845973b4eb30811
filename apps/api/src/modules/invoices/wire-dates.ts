import { offsetAt } from '../../franchise-day.ts';
import { keepResults } from '../../keep-results.ts';

/** A wall-clock time on a calendar date in a zone, with the offset that holds there then. */
function zonedTime(date: string, time: string, timeZone: string): string {
  const asUtc = Date.parse(`${date}T${time}Z`);
  const firstGuess = offsetAt(asUtc, timeZone);
  // Near a change of the clocks the first guess is that of the wrong side; the instant it names tells the right one.
  const offset = offsetAt(Date.parse(`${date}T${time}${firstGuess}`), timeZone);
  return `${date}T${time}${offset}`;
}

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
