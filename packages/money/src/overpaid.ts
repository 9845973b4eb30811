import { type Cents, cents } from './cents.ts';

/**
 * What an office has received too much for an invoice. What is left of payers' credits is no cash: an office that
 * copies a payer's credit into its amount has not received too much.
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
