import { type Cents, cents, formatUsd, sumCents } from '@brightpane/money/cents';
import { formatRatePercent, ratePpm } from '@brightpane/money/rate';
import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import { serviceLines } from '../../invoices/invoices.presenter.ts';
import { PAYMENT_NAMES } from '../../invoices/payment-names.ts';
import type { DocumentPaymentRow, DocumentRow } from '../documents.queries.ts';
import { isolated } from '../pdf/isolated.ts';
import type { ShortHead } from '../pdf/start-page.ts';

/** The content of an invoice's document, in its printed words and figures. Nothing here depends on today's date. */
export type InvoicePage = {
  franchise: { number: string; name: string; contact: string[] };
  workOrder: string;
  shortHead: ShortHead;
  /** Null if no zip code is known; such an invoice is paid after signing in. */
  zipCode: string | null;
  serviceAddress: string[];
  completed: string;
  due: string;
  status: 'paid' | 'balance-due' | 'nothing-due';
  balance: string;
  services: string[];
  payments: PaymentLine[];
  /** Sum, top to bottom, to the balance. */
  totals: { label: string; amount: string; isSum?: true }[];
  terms: string[];
  /** Opens the invoice on the portal; encoded in the QR code. */
  payUrl: string;
};

export type PaymentLine = { date: string; method: string; detail: string; amount: string };

/** Lays out an invoice for print. `publicUrl` is the portal's address. */
export function invoicePage(row: DocumentRow, publicUrl: string): InvoicePage {
  const zipCode = row.zipKey === null ? null : row.zipCode.trim();
  return {
    franchise: { number: String(row.franchiseId), name: row.franchiseName, contact: contact(row) },
    workOrder: String(row.workOrderNumber),
    shortHead: { name: row.franchiseName, about: `Invoice, Work Order # ${row.workOrderNumber}` },
    zipCode,
    serviceAddress: serviceAddress(row),
    completed: row.completedDate === null ? 'Upcoming' : formatDay(row.completedDate, 'medium'),
    due: row.dueDate === null ? 'Pending' : formatDay(row.dueDate, 'medium'),
    status: row.balanceCents > 0 ? 'balance-due' : row.amountCents > 0 ? 'paid' : 'nothing-due',
    balance: usd(row.balanceCents),
    services: serviceLines(row.service),
    payments: row.payments.map((payment) => paymentLine(payment, row.timeZone)),
    totals: totals(row),
    terms: terms(row),
    payUrl: payUrl(row, zipCode, publicUrl),
  };
}

const usd = (amount: number) => formatUsd(cents(amount));

const METHODS = { ...PAYMENT_NAMES, refund: 'Card, refunded' };

function contact({ franchiseAddress, franchisePhone }: DocumentRow): string[] {
  const address = (franchiseAddress ?? '').split('\n').map((line) => line.trim());
  const oneLine = address.filter((line) => line !== '').join(', ');
  return [oneLine, franchisePhone ?? ''].filter((line) => line !== '');
}

/** Leaves out the location's description: anyone with the three numbers reads this, and it may contain a name. */
function serviceAddress({ addressLine1, city, state, zipCode }: DocumentRow): string[] {
  const region = [state, zipCode].filter((part) => part.trim() !== '').join(' ');
  const town = [city, region]
    .filter((part) => part.trim() !== '')
    .map(isolated)
    .join(', ');
  return [addressLine1, town].filter((line) => line.trim() !== '');
}

function paymentLine(payment: DocumentPaymentRow, timeZone: string): PaymentLine {
  const { method, servicesCents, tipCents } = payment;
  // A refund names the same parts as its payment.
  const sign = method === 'refund' ? -1 : 1;
  const parts = [
    { name: 'additional services', amount: sign * servicesCents },
    { name: 'tip', amount: sign * tipCents },
  ].filter(({ amount }) => amount !== 0);
  return {
    date: formatDay(franchiseDay(payment.paidAt, timeZone), 'medium'),
    method: METHODS[method],
    detail: parts.map(({ name, amount }) => `${usd(amount)} ${name}`).join(' and '),
    amount: usd(cashOf(payment)),
  };
}

const cashOf = ({ invoiceCents, servicesCents, servicesTaxCents, tipCents }: DocumentPaymentRow): number =>
  invoiceCents + servicesCents + servicesTaxCents + tipCents;

/** From the office's amount down to the balance. Of additions, only what wasn't refunded counts. */
function totals(row: DocumentRow): InvoicePage['totals'] {
  const sumOf = (key: 'invoiceCents' | 'servicesCents' | 'servicesTaxCents' | 'tipCents'): Cents =>
    sumCents(row.payments.map((payment) => cents(payment[key])));
  const services = sumOf('servicesCents');
  const servicesTax = sumOf('servicesTaxCents');
  const tips = sumOf('tipCents');
  const sumOfCash = (isOne: (payment: DocumentPaymentRow) => boolean): Cents =>
    sumCents(row.payments.filter(isOne).map((payment) => cents(cashOf(payment))));
  const paid = sumOfCash(({ method }) => method !== 'refund');
  const refunded = sumOfCash(({ method }) => method === 'refund');
  const officeAmount = row.officeAmountCents ?? row.amountCents;
  const officeTax = row.officeTaxCents ?? row.taxCents;
  // The balance stays at zero: what was paid beyond the amount is overpaid, or a credit that the office's amount repeats.
  const beyond = row.balanceCents - (row.amountCents - sumOf('invoiceCents'));
  const lines: { label: string; amount: number; isSum?: true; isAlways?: true }[] = [
    { label: 'Services', amount: officeAmount - officeTax, isAlways: true },
    {
      label: `Sales tax (${formatRatePercent(ratePpm(row.taxRatePpm))})`,
      amount: officeTax,
      isAlways: true,
    },
    { label: 'Invoice total', amount: officeAmount, isSum: true, isAlways: true },
    { label: 'Credit', amount: row.amountCents - officeAmount },
    { label: 'Additional services', amount: services },
    { label: 'Tax on additional services', amount: servicesTax },
    { label: 'Already in the invoice total', amount: beyond - row.overpaidCents },
    { label: 'Tips', amount: tips },
    { label: 'Payments', amount: -paid },
    { label: 'Refunds', amount: -refunded },
    { label: 'Overpaid', amount: row.overpaidCents },
  ];
  return lines
    .filter((line) => line.isAlways || line.amount !== 0)
    .map(({ label, amount, isSum }) => ({ label, amount: usd(amount), ...(isSum && { isSum }) }));
}

function terms({ balanceCents, dueDate, franchiseName, franchisePhone }: DocumentRow): string[] {
  const name = isolated(franchiseName);
  const due =
    dueDate === null ? 'The due date is not set yet.' : `Please pay by ${formatDay(dueDate, 'medium')}.`;
  return [
    balanceCents > 0 ? due : 'Nothing is left to pay. Thank you.',
    'Tips and additional services are added by the payer and are not part of the invoice total.',
    `Questions? Ask ${franchisePhone ? `${name}, ${isolated(franchisePhone)}` : name}, and name the work order number.`,
  ];
}

/** Where the invoice is paid; encoded in the QR code. */
export function payUrl(
  { franchiseId, workOrderNumber }: Pick<DocumentRow, 'franchiseId' | 'workOrderNumber'>,
  zipCode: string | null,
  publicUrl: string,
) {
  if (zipCode === null) return `${publicUrl}/login`;
  const numbers = new URLSearchParams({
    franchiseNumber: String(franchiseId),
    workOrderNumber: String(workOrderNumber),
    zipCode,
  });
  return `${publicUrl}/guest-payment?${numbers}`;
}
