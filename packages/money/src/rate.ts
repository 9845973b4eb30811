import { type Cents, cents } from './cents.ts';
import { divideRoundingHalfAwayFromZero } from './rounding.ts';

declare const brand: unique symbol;

/** A tax rate in whole parts per million: 8.25 % is 82 500. Between 0 and 1 000 000. */
export type RatePpm = number & { readonly [brand]: 'RatePpm' };

const MILLION = 1_000_000;

/** Accepts an integer known to be parts per million. Throws a RangeError outside 0 to 1 000 000. */
export function ratePpm(value: number): RatePpm {
  if (!Number.isInteger(value) || value < 0 || value > MILLION) throw new RangeError(`not a rate: ${value}`);
  return value as RatePpm;
}

/** Parses a fraction: `'0.08875'` → 88 750. `null` for more than six decimals or a rate above 1. */
export function parseRate(text: string): RatePpm | null {
  const match = /^(\d)(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole, fraction = ''] = match;
  const ppm = Number(whole) * MILLION + Number(fraction.padEnd(6, '0'));
  return ppm > MILLION ? null : ratePpm(ppm);
}

/** 88 750 → `'8.875%'`, as documents and screens write it. */
export function formatRatePercent(rate: RatePpm): string {
  return `${rate / 10_000}%`;
}

/** Applies a rate to an amount, rounding once, half away from zero. */
export function applyRate(amount: Cents, rate: RatePpm): Cents {
  return cents(divideRoundingHalfAwayFromZero(amount * rate, MILLION));
}
