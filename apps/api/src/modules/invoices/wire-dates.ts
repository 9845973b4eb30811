const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/** The zone's offset from UTC at an instant, as `-06:00`. */
function offsetAt(instant: number, timeZone: string): string {
  let format = offsetFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    offsetFormats.set(timeZone, format);
  }
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? '+00:00' : name.slice('GMT'.length);
}

/** A wall-clock time on a calendar date in a zone, with the offset that holds there then. */
function zonedTime(date: string, time: string, timeZone: string): string {
  const asUtc = Date.parse(`${date}T${time}Z`);
  const firstGuess = offsetAt(asUtc, timeZone);
  // Near a change of the clocks the first guess is that of the wrong side; the instant it names tells the right one.
  const offset = offsetAt(Date.parse(`${date}T${time}${firstGuess}`), timeZone);
  return `${date}T${time}${offset}`;
}

/** A list names a few dates many times over, and each costs several microseconds to work out. */
const MOST_KEPT = 20_000;
const kept = new Map<string, string>();

function keptZonedTime(date: string, time: string, timeZone: string): string {
  const name = `${date} ${time} ${timeZone}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const fresh = zonedTime(date, time, timeZone);
  kept.set(name, fresh);
  return fresh;
}

/** An invoice is due until the day has ended where the franchise is. */
export function wireDueDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '23:59:59', timeZone);
}

/** Work was completed on a day, not at a time: noon keeps the day the same in any reader's zone near it. */
export function wireCompletedDate(date: string, timeZone: string): string {
  return keptZonedTime(date, '12:00:00', timeZone);
}
