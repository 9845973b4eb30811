/** The parts of a work order that was paid or refunded. */
type Parts = {
  invoiceCents: number;
  taxCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
};

export const sumOfParts = (parts: Parts): number =>
  parts.invoiceCents + parts.taxCents + parts.servicesCents + parts.servicesTaxCents + parts.tipCents;
