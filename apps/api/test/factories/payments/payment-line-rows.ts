import type { LineRow } from '../../../src/modules/payments/history/payment-lines.queries.ts';

/** The database row of a line of one's own payment of 108.25; a test names only what it is about. */
export function paymentLineRow(given: Partial<LineRow> = {}): LineRow {
  const row = {
    paymentId: '7d3f0c2e-6a51-4c0e-9a41-0d2f5e8b1c77',
    at: '2026-11-05T18:00:00Z',
    placedAt: '2026-11-05T18:00:00Z',
    by: 'you',
    kind: 'portal',
    chargeState: 'captured',
    timeZone: 'America/Los_Angeles',
    franchiseId: 105,
    franchiseName: 'Clear View West',
    workOrderNumber: 1042,
    documentId: '00000000-0000-4000-8000-000000000000',
    service: 'Windows, inside and out',
    locationId: 7,
    description: 'Home',
    addressLine1: 'Maple Street 12',
    city: 'Springfield',
    state: 'IL',
    invoiceCents: 100_00,
    taxCents: 8_25,
    servicesCents: 0,
    servicesTaxCents: 0,
    tipCents: 0,
    refundedCents: 0,
    refunds: [],
    note: null,
    cardBrand: 'Visa',
    maskedCard: 'xxxx2224',
    reference: '4711',
    ...given,
  } satisfies Omit<LineRow, 'totalCents'>;
  const { invoiceCents, taxCents, servicesCents, servicesTaxCents, tipCents } = row;
  return { totalCents: invoiceCents + taxCents + servicesCents + servicesTaxCents + tipCents, ...row };
}
