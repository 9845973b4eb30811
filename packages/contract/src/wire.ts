import { type Cents, parseDollars } from '@brightpane/money/cents';

/** Cents as the decimal dollars of the wire: a JSON number with at most two decimals. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/** Decimal dollars from the wire, read from their digits. `null` for a third decimal, an exponent, NaN or infinity. */
export function fromDollars(value: number | string): Cents | null {
  return parseDollars(String(value));
}

/** The calendar date at the front of a wire date (`2026-11-30T23:59:59-06:00`), as written, never shifted to another zone. */
export function calendarDate(wireDate: string): string {
  return wireDate.slice(0, 10);
}
