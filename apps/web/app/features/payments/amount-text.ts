import { type Cents, formatDollars, parseDollars, ZERO } from '@brightpane/money/cents';

/** The largest amount that can be typed, in dollars: the card processor takes no more. */
export const MAX_AMOUNT_DOLLARS = 99_999;

/** Dollars as typed into a field. What is no number, or beyond every payment, counts as 0 (spec section 5). */
export function readAmountText(text: string): Cents {
  const amount = parseDollars(text) ?? parseDollars(String(Number(text)));
  return amount === null || Math.abs(amount) > MAX_AMOUNT_DOLLARS * 100 ? ZERO : amount;
}

/** An amount as a field shows it; nothing for 0. */
export function amountText(amount: Cents): string {
  return amount === 0 ? '' : formatDollars(amount);
}
