/** The parts of a work order that was paid or refunded. */
export type Parts = {
  /** For the invoice itself, without its tax. */
  invoiceCents: number;
  taxCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
};

export const sumOfParts = (parts: Parts): number =>
  parts.invoiceCents + parts.taxCents + parts.servicesCents + parts.servicesTaxCents + parts.tipCents;
