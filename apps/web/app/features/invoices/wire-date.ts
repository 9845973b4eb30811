import { calendarDate } from '@brightpane/contract/wire';

const FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `2026-11-03T23:59:59-06:00` → `Nov 3, 2026`: the day as written, never shifted to the browser's zone. */
export function formatWireDate(wireDate: string): string {
  return FORMAT.format(new Date(`${calendarDate(wireDate)}T00:00:00Z`));
}
