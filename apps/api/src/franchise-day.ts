import { keepResults } from './keep-results.ts';

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/** A time zone's offset from UTC at an instant, like `-06:00`. */
export function offsetAt(instant: number, timeZone: string): string {
  return keptOffset(`${Math.floor(instant / QUARTER_HOUR)} ${timeZone}`, () => {
    let format = offsetFormats.get(timeZone);
    if (!format) {
      format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
      offsetFormats.set(timeZone, format);
    }
    const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? '+00:00' : name.slice('GMT'.length);
  });
}

/** In every zone, clocks change on a quarter hour of UTC. */
const QUARTER_HOUR = 15 * 60_000;
const keptOffset = keepResults<string>();

/** An instant in a time zone's local time with its offset: `2026-11-03T19:30:00-06:00`. */
export function zonedInstant(instant: Date | string, timeZone: string): string {
  const utc = new Date(instant).getTime();
  const offset = offsetAt(utc, timeZone);
  return `${new Date(utc + offsetMilliseconds(offset)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${offset}`;
}

function offsetMilliseconds(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** A wall-clock time on a date in a time zone, with the offset valid then. */
export function zonedTime(date: string, time: string, timeZone: string): string {
  const asUtc = Date.parse(`${date}T${time}Z`);
  const firstGuess = offsetAt(asUtc, timeZone);
  // Near a clock change the first guess may be from the wrong side; the instant it gives has the right offset.
  const offset = offsetAt(Date.parse(`${date}T${time}${firstGuess}`), timeZone);
  return `${date}T${time}${offset}`;
}

/** The date of an instant in the franchise's time zone: `2026-11-03`. Only this function turns instants into days. */
export function franchiseDay(instant: Date | string, timeZone: string): string {
  return zonedInstant(instant, timeZone).slice(0, 'YYYY-MM-DD'.length);
}

const DAY_FORMATS = {
  medium: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' }),
  long: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' }),
};

/** A date for print: `Nov 3, 2026`, or `November 3, 2026`. */
export function formatDay(day: string, style: keyof typeof DAY_FORMATS): string {
  return DAY_FORMATS[style].format(new Date(`${day}T00:00:00Z`));
}
