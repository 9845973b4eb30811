import { type Cents, cents, parseDollars } from '@brightpane/money/cents';

/** The largest amount in a request: the card provider refuses more than 99,999 dollars. */
export const MAX_AMOUNT: Cents = cents(99_999_00);

/** Cents as the wire's decimal dollars: a JSON number with at most two decimals. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/** A row's cents as the wire's dollars. */
export const centsToDollars = (amount: number): number => toDollars(cents(amount));

/** Reads decimal dollars digit by digit. `null` for a third decimal, an exponent, NaN or infinity. */
export function fromDollars(value: number | string): Cents | null {
  return parseDollars(String(value));
}

const THOUSANDS = /^\$?\s*(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/;

/** Dollars as a person types them: `1234.5`, `$1,234.50`. `null` for commas that group anything but thousands. */
export function typedDollars(text: string): Cents | null {
  const [, sign = '', dollars, fraction = ''] = THOUSANDS.exec(text.trim()) ?? [];
  return dollars === undefined ? null : parseDollars(`${sign}${dollars.replaceAll(',', '')}${fraction}`);
}

/** The calendar date of a wire date (`2026-11-30T23:59:59-06:00`), as written: never shifted to another zone. */
export function calendarDate(wireDate: string): string {
  return wireDate.slice(0, 10);
}
