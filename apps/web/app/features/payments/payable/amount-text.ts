import { MAX_AMOUNT, toDollars } from '@brightpane/contract/wire';
import { type Cents, formatDollars, formatUsd, parseDollars, ZERO } from '@brightpane/money/cents';

/** The largest amount that can be typed, in dollars. */
export const MAX_AMOUNT_DOLLARS = toDollars(MAX_AMOUNT);

/** Dollars as typed, or why they can't be paid. */
export type AmountRead = { ok: true; amountCents: Cents } | { ok: false; fault: string };

/**
 * Text that isn't a number counts as 0, like an empty field. A number is never silently rounded, cut or dropped. A comma
 * only groups thousands: with fewer or more digits after it, it may have been meant as the point.
 */
export function readAmountText(typed: string, { min = -MAX_AMOUNT_DOLLARS } = {}): AmountRead {
  const text = GROUPED.test(typed) ? withoutCommas(typed) : typed;
  if (text.includes(',')) return { ok: false, fault: COMMA };
  const number = Number(text);
  if (Number.isNaN(number)) return { ok: true, amountCents: ZERO };
  if (number < min && min === 0) return { ok: false, fault: NEGATIVE };
  if (Math.abs(number) > MAX_AMOUNT_DOLLARS) return { ok: false, fault: TOO_LARGE };
  const amountCents = parseDollars(text) ?? parseDollars(String(number));
  return amountCents === null ? { ok: false, fault: TOO_FINE } : { ok: true, amountCents };
}

/** The comma may stand at the end, where it leaves out nothing: the next digit tells what it was meant as. */
const GROUPED = /^-?([1-9]\d{0,2}(,\d{3})+(\.\d*)?|\d+,)$/;

/** The text as a number field shows it, which takes no comma. */
export function withoutCommas(text: string): string {
  return text.replaceAll(',', '');
}

/**
 * The field's text with the comma that the browser left out: `head` is what stood before it. The same text if it no longer
 * begins with that, or has a point by now.
 */
export function withComma(text: string, head: string): string {
  const rest = text.slice(head.length);
  return text.startsWith(head) && /^\d*$/.test(rest) ? `${head},${rest}` : text;
}

const COMMA = 'Please use a point for cents, like 12.50.';
const NEGATIVE = 'Please enter $0.00 or more.';
const TOO_LARGE = `Please enter at most ${formatUsd(MAX_AMOUNT)}.`;
const TOO_FINE = 'Please enter dollars and cents, like 12.50.';
export const NOT_A_NUMBER = 'This is not a number, so it counts as $0.00.';

/** The amount as a field shows it; empty for 0. */
export function amountText(amount: Cents): string {
  return amount === 0 ? '' : formatDollars(amount);
}
