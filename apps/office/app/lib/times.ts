import { formatWireDate } from '@brightpane/ui/words/wire-date';

type Parts = Record<'month' | 'day' | 'year' | 'hour' | 'minute' | 'dayPeriod', string>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Instants are shown in their franchise's zone, never in the browser's. */
function partsIn(zone: string, instant: Date): Parts {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value])) as Parts;
}

/** `2026-11-21T20:06:00Z` in Chicago → `Nov 21, 2:06 PM`, with the year unless it is the current one. */
export function formatInstant(instant: string, zone: string, now: Date = new Date()): string {
  const { month, day, year, hour, minute, dayPeriod } = partsIn(zone, new Date(instant));
  const withYear = year === partsIn(zone, now).year ? '' : `, ${year}`;
  return `${month} ${day}${withYear}, ${hour}:${minute} ${dayPeriod}`;
}

/** The day of an instant in a zone: `Nov 21, 2026`. */
export function formatInstantDay(instant: string, zone: string): string {
  const { month, day, year } = partsIn(zone, new Date(instant));
  return `${month} ${day}, ${year}`;
}

/** `2026-11-21` → `Nov 21, 2026`. */
export const formatDay = formatWireDate;

/** `America/Chicago` → `Chicago`. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** How a list's head, or a page's, names the zone of its times. */
export function timesWords(zone: string): string {
  return `Times: ${zoneCity(zone)} (${zone})`;
}
