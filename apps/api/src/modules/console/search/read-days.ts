import { formatDay } from '../../../franchise-day.ts';

/** Days as typed; which dates they mean depends on the date in a row's time zone. */
export type Days =
  | { unit: 'day'; back: number }
  /** Monday is 1, Sunday 7. */
  | { unit: 'weekday'; weekday: number }
  | { unit: 'week' | 'month'; back: number }
  | { unit: 'date'; month: number; day: number; year: number | null };

/** Inclusive on both ends. */
export type DayRange = { from: string; to: string };

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Each by its name, or as short as people write it; `mary` and `julia` are names. */
const MONTHS = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];

/** Reads days from the start of lower-case words, and tells how many words it used. */
export function readDays(words: readonly string[]): { days: Days; taken: number } | null {
  const [first = '', second = '', third = ''] = words;
  if (first === 'today') return { days: { unit: 'day', back: 0 }, taken: 1 };
  if (first === 'yesterday') return { days: { unit: 'day', back: 1 }, taken: 1 };
  const weekday = WEEKDAYS.indexOf(first) + 1;
  if (weekday > 0) return { days: { unit: 'weekday', weekday }, taken: 1 };
  if ((first === 'this' || first === 'last') && (second === 'week' || second === 'month')) {
    return { days: { unit: second, back: first === 'last' ? 1 : 0 }, taken: 2 };
  }
  return readMonthName(first, second, third) ?? readNumbers(first);
}

function readMonthName(first: string, second: string, third: string) {
  const month = MONTHS.findIndex((names) => names.includes(first.replace(/\.$/, ''))) + 1;
  const [, day] = /^(\d{1,2}),?$/.exec(second) ?? [];
  if (month === 0 || day === undefined) return null;
  const year = /^\d{4}$/.test(third) && isYear(Number(third)) ? Number(third) : null;
  const days = date(month, Number(day), year);
  return days && { days, taken: year === null ? 2 : 3 };
}

function readNumbers(text: string) {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text) ?? [];
  const days = isoYear
    ? date(Number(isoMonth), Number(isoDay), Number(isoYear))
    : month
      ? date(Number(month), Number(day), year === undefined ? null : Number(year))
      : null;
  return days && { days, taken: 1 };
}

const isYear = (year: number) => year >= 2000 && year <= 2099;

function date(month: number, day: number, year: number | null): Days | null {
  if (year !== null && !isYear(year)) return null;
  // Without a year, check against a leap year.
  return isDate(year ?? 2000, month, day) ? { unit: 'date', month, day, year } : null;
}

function isDate(year: number, month: number, day: number): boolean {
  const made = new Date(Date.UTC(year, month - 1, day));
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

/** The dates meant when it is `today`. A day without a year is the last one past. */
export function resolveDays(days: Days, today: string): DayRange {
  const now = new Date(`${today}T00:00:00Z`);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const at = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  const only = (one: string): DayRange => ({ from: one, to: one });
  const weekday = now.getUTCDay() || 7;
  switch (days.unit) {
    case 'day':
      return only(at(year, month, day - days.back));
    case 'weekday':
      return only(at(year, month, day - ((weekday - days.weekday + 7) % 7)));
    case 'week': {
      const monday = day - (weekday - 1) - 7 * days.back;
      return { from: at(year, month, monday), to: at(year, month, monday + 6) };
    }
    case 'month':
      return { from: at(year, month - days.back, 1), to: at(year, month - days.back + 1, 0) };
    case 'date': {
      if (days.year !== null) return only(at(days.year, days.month - 1, days.day));
      let then = year;
      while (!isDate(then, days.month, days.day) || at(then, days.month - 1, days.day) > today) then--;
      return only(at(then, days.month - 1, days.day));
    }
  }
}

/** `Nov 21, 2026`, or `Nov 16, 2026 to Nov 22, 2026`. */
export function nameDays({ from, to }: DayRange): string {
  return from === to
    ? formatDay(from, 'medium')
    : `${formatDay(from, 'medium')} to ${formatDay(to, 'medium')}`;
}
