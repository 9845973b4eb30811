import { type Cents, cents } from './cents.ts';

/**
 * The cash that an office received beyond the invoice. Payers' remaining credits aren't cash: an office that
 * lowers its amount by a payer's credit was not overpaid.
 */
export function overpaidCents(invoice: {
  amountCents: Cents;
  paidCents: Cents;
  paidElsewhereCents: Cents;
  creditsLeftCents: Cents;
}): Cents {
  const { amountCents, paidCents, paidElsewhereCents, creditsLeftCents } = invoice;
  return cents(Math.max(0, paidCents + paidElsewhereCents - amountCents - creditsLeftCents));
}
