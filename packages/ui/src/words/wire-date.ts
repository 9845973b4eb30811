import { calendarDate } from '@brightpane/contract/wire';

/** Not `Intl`: loading the browser's calendars takes longer than drawing the page. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-03T23:59:59-06:00` → `Nov 3, 2026`: the day as written, never shifted to the browser's zone. */
export function formatWireDate(wireDate: string): string {
  const [year, month, day] = calendarDate(wireDate).split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
}
