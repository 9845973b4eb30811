import type { DocumentPaymentRow, DocumentRow } from '../../src/modules/documents/documents.queries.ts';

/** The database row of an unpaid invoice of 108.25; a test names only what it is about. */
export function documentRow(given: Partial<DocumentRow> = {}): DocumentRow {
  return {
    franchiseId: 105,
    franchiseName: 'Clear View West',
    franchisePhone: '(503) 555-0142',
    franchiseAddress: '410 Alder Street\nPortland, OR 97205',
    timeZone: 'America/Los_Angeles',
    addressLine1: 'Maple Street 12',
    city: 'Springfield',
    state: 'IL',
    zipCode: '62704',
    zipKey: '62704',
    workOrderNumber: 1042,
    service: 'Windows, inside and out; Screens',
    amountCents: 108_25,
    taxCents: 8_25,
    officeAmountCents: null,
    officeTaxCents: null,
    taxRatePpm: 82_500,
    balanceCents: 108_25,
    overpaidCents: 0,
    dueDate: '2026-11-30',
    completedDate: '2026-11-03',
    payments: [],
    ...given,
  };
}

export function documentPayment(given: Partial<DocumentPaymentRow> = {}): DocumentPaymentRow {
  return {
    paidAt: '2026-11-05T18:00:00Z',
    method: 'card',
    invoiceCents: 108_25,
    servicesCents: 0,
    servicesTaxCents: 0,
    tipCents: 0,
    ...given,
  };
}
