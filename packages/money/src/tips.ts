import { type Cents, cents, ZERO } from './cents.ts';
import type { InvoiceTotals } from './invoice-totals.ts';
import { divideRoundingHalfAwayFromZero } from './rounding.ts';

/** The percentages offered as buttons. */
export const TIP_PRESETS = [15, 20] as const;

export type TipPreset = (typeof TIP_PRESETS)[number];

/** The base of an invoice's own tip buttons: its balance without tax, plus services. */
export function invoiceTipBase(totals: Pick<InvoiceTotals, 'subtotalCents'>): Cents {
  return totals.subtotalCents;
}

/** The base of the whole table's tip buttons: the full balance due, tax included. */
export function tableTipBase(invoice: { balanceCents: Cents }): Cents {
  return invoice.balanceCents;
}

/** A percentage of a base, never negative. */
export function tipFor(base: Cents, percent: number): Cents {
  if (base <= 0) return ZERO;
  return cents(divideRoundingHalfAwayFromZero(base * percent, 100));
}

/** A preset is active if the tip is within one cent of it; a base of zero activates none. */
export function isTipPresetActive(tip: Cents, base: Cents, preset: TipPreset): boolean {
  return base > 0 && tip > 0 && Math.abs(tip - tipFor(base, preset)) <= 1;
}

/** The tip as a whole percentage of the base; `null` without a base. */
export function tipPercent(tip: Cents, base: Cents): number | null {
  return base > 0 ? divideRoundingHalfAwayFromZero(tip * 100, base) : null;
}

/** A tip above the cost of the job is probably a typo, so the form asks "Was this your intention?". */
export function isTipAboveJob(tip: Cents, totals: Pick<InvoiceTotals, 'subtotalCents'>): boolean {
  return tip > totals.subtotalCents;
}
