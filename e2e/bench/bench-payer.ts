import { request } from '@playwright/test';
import { GOOD_CARD } from '../guest-payment-steps.ts';
import { type Customer, makeCustomer } from '../portal-steps.ts';
import { type InvoiceRow, Office } from '../support/console/office.ts';
import { systemUnderTest } from '../support/system.ts';

/** A customer with a saved card and open invoices. */
export type Payer = { customer: Customer; invoices: InvoiceRow[] };

export async function makePayer(
  franchiseId: number,
  size: { invoices: number; locations: number },
): Promise<Payer> {
  const system = systemUnderTest();
  const rows = Array.from({ length: size.invoices }, (_, index) => {
    const locationId = 1 + (index % size.locations);
    return { locationId, description: `Branch ${locationId}`, addressLine1: `${locationId} Juniper Lane` };
  });
  const invoices = await new Office(system, franchiseId).importInvoices(...rows);
  const calls = await request.newContext({ baseURL: system.portalUrl });
  const customer = await makeCustomer(calls, { invoices, cards: [GOOD_CARD] });
  await calls.dispose();
  return { customer, invoices };
}
