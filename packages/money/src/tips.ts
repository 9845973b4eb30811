import { type Cents, cents, ZERO } from './cents.ts';
import type { InvoiceTotals } from './invoice-totals.ts';
import { divideRoundingHalfAwayFromZero } from './rounding.ts';

/** The percentages offered as buttons. */
export const TIP_PRESETS = [15, 20] as const;

export type TipPreset = (typeof TIP_PRESETS)[number];

/** What an invoice's own tip buttons take their percentage of: its balance less tax, plus services. */
export function invoiceTipBase(totals: Pick<InvoiceTotals, 'subtotalCents'>): Cents {
  return totals.subtotalCents;
}

/** What the whole table's tip buttons take their percentage of: the full balance due, tax included. */
export function tableTipBase(invoice: { balanceCents: Cents }): Cents {
  return invoice.balanceCents;
}

/** A percentage of a base, never below zero. */
export function tipFor(base: Cents, percent: number): Cents {
  if (base <= 0) return ZERO;
  return cents(divideRoundingHalfAwayFromZero(base * percent, 100));
}

/** A preset counts as chosen when the tip is within one cent of it; a base of nothing chooses none. */
export function isTipPresetActive(tip: Cents, base: Cents, preset: TipPreset): boolean {
  return base > 0 && tip > 0 && Math.abs(tip - tipFor(base, preset)) <= 1;
}

/** The whole percentage that a tip comes to, or `null` where there is no base to compare it with. */
export function tipPercent(tip: Cents, base: Cents): number | null {
  return base > 0 ? divideRoundingHalfAwayFromZero(tip * 100, base) : null;
}

/** A tip above the cost of the job is likely a slip, so the form asks "Was this your intention?". */
export function isTipAboveJob(tip: Cents, totals: Pick<InvoiceTotals, 'subtotalCents'>): boolean {
  return tip > totals.subtotalCents;
}
