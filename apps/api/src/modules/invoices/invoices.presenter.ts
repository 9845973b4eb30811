import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { centsToDollars } from '@brightpane/contract/wire';
import { type Cents, cents } from '@brightpane/money/cents';
import type { Deps } from '../../deps.ts';
import { zonedInstant } from '../../franchise-day.ts';
import { documentLink } from './document-links.ts';
import type { InvoiceRow } from './invoices.queries.ts';
import { PAYMENT_NAMES } from './payment-names.ts';
import { wireCompletedDate, wireDueDate } from './wire-dates.ts';

/**
 * The sales tax still contained in the balance. Never more than the balance, so that the amount shown isn't negative.
 */
export function openSalesTax(invoice: {
  taxCents: number;
  paidTaxCents: number;
  balanceCents: number;
}): Cents {
  return cents(Math.max(0, Math.min(invoice.taxCents - invoice.paidTaxCents, invoice.balanceCents)));
}

export function presentInvoice(deps: Pick<Deps, 'env' | 'clock'>, row: InvoiceRow): Invoice {
  const { documentId, timeZone } = row;
  return {
    documentId,
    franchiseId: row.franchiseId,
    franchiseName: row.franchiseName,
    franchisePhone: row.franchisePhone,
    workOrderNumber: row.workOrderNumber,
    balanceDue: centsToDollars(row.balanceCents),
    amount: centsToDollars(row.amountCents),
    salesTaxAmount: centsToDollars(openSalesTax(row)),
    salesTaxRate: row.taxRatePpm / 1_000_000,
    dueDate: row.dueDate && wireDueDate(row.dueDate, timeZone),
    completedDate: row.completedDate && wireCompletedDate(row.completedDate, timeZone),
    tipsEnabled: row.tipsEnabled,
    pdfLink: documentLink(deps, { documentId, format: 'pdf' }),
    pngLink: documentLink(deps, { documentId, format: 'png' }),
    publicKey: row.publicKey,
    addressLine1: row.addressLine1,
    city: row.city,
    state: row.state,
    services: serviceLines(row.service),
    payments: row.payments.map((payment) => ({
      paymentDetailId: payment.id,
      paymentDate: zonedInstant(payment.paidAt, timeZone),
      amount: centsToDollars(payment.amountCents),
      additionalServiceAmount: centsToDollars(payment.servicesCents),
      tipAmount: centsToDollars(payment.tipCents),
      type: { description: PAYMENT_NAMES[payment.way] },
    })),
    additionalServices: row.services.map((amount) => ({ amount: centsToDollars(amount) })),
    tips: row.tips.map((amount) => ({ amount: centsToDollars(amount) })),
    workOrders: [{ locationId: row.locationId }],
    isOfFormerCustomer: row.formerCustomerId !== null,
    version: row.version,
  };
}

/** Offices write the services as one text, separated by semicolons. */
export function serviceLines(service: string): string[] {
  return service
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
