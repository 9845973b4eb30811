import { MAX_AMOUNT, toDollars } from '@brightpane/contract/wire';
import { type Cents, formatDollars, formatUsd, parseDollars, ZERO } from '@brightpane/money/cents';

/** The largest amount that can be typed, in dollars. */
export const MAX_AMOUNT_DOLLARS = toDollars(MAX_AMOUNT);

/** Dollars as typed, or why they can't be paid. */
export type AmountRead = { ok: true; amountCents: Cents } | { ok: false; fault: string };

/** Text that isn't a number counts as 0, like an empty field. A number is never silently rounded, cut or dropped. */
export function readAmountText(text: string, { min = -MAX_AMOUNT_DOLLARS } = {}): AmountRead {
  const number = Number(text);
  if (Number.isNaN(number)) return { ok: true, amountCents: ZERO };
  if (number < min && min === 0) return { ok: false, fault: NEGATIVE };
  if (Math.abs(number) > MAX_AMOUNT_DOLLARS) return { ok: false, fault: TOO_LARGE };
  const amountCents = parseDollars(text) ?? parseDollars(String(number));
  return amountCents === null ? { ok: false, fault: TOO_FINE } : { ok: true, amountCents };
}

const NEGATIVE = 'Please enter $0.00 or more.';
const TOO_LARGE = `Please enter at most ${formatUsd(MAX_AMOUNT)}.`;
const TOO_FINE = 'Please enter dollars and cents, like 12.50.';
export const NOT_A_NUMBER = 'This is not a number, so it counts as $0.00.';

/** The amount as a field shows it; empty for 0. */
export function amountText(amount: Cents): string {
  return amount === 0 ? '' : formatDollars(amount);
}
