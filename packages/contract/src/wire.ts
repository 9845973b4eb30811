import { type Cents, parseDollars } from '@brightpane/money/cents';

/** Cents as the wire's decimal dollars: a JSON number with at most two decimals. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/** Reads decimal dollars digit by digit. `null` for a third decimal, an exponent, NaN or infinity. */
export function fromDollars(value: number | string): Cents | null {
  return parseDollars(String(value));
}

/** The calendar date of a wire date (`2026-11-30T23:59:59-06:00`), as written: never shifted to another zone. */
export function calendarDate(wireDate: string): string {
  return wireDate.slice(0, 10);
}
