import type { ListedPayment, PaymentLine, StatementRow } from '@brightpane/contract/invoices/payment-history';
import { centsToDollars } from '@brightpane/contract/wire';
import type { Deps } from '../../../deps.ts';
import { zonedInstant } from '../../../franchise-day.ts';
import { documentLink } from '../../invoices/document-links.ts';
import { receiptLink } from './history-links.ts';
import { joinRefunds } from './join-refunds.ts';
import type { LineRow } from './payment-lines.queries.ts';

type PresentDeps = Pick<Deps, 'env' | 'clock'>;

const sum = (rows: readonly LineRow[], key: 'totalCents' | 'refundedCents') =>
  rows.reduce((total, row) => total + row[key], 0);

/** Groups rows into their payments and keeps the order. */
export function presentPayments(deps: PresentDeps, rows: readonly LineRow[]): ListedPayment[] {
  return [...Map.groupBy(rows, (row) => row.paymentId).values()].map((lines) => presentPayment(deps, lines));
}

/** Of a payment over several merchant accounts only paid lines count, unless none was paid. */
function presentPayment(deps: PresentDeps, all: readonly LineRow[]): ListedPayment {
  const paid = all.filter(countsAsPaid);
  const lines = paid.length > 0 ? paid : all;
  const [first] = lines;
  if (!first) throw new Error('a payment has lines');
  const isReceipted = first.by === 'you' && paid.length > 0;
  return {
    ...presentFacts(first),
    amount: centsToDollars(sum(lines, 'totalCents')),
    refundedAmount: centsToDollars(sum(lines, 'refundedCents')),
    state: stateOf(lines),
    card: lines.map(cardOf).find((card) => card !== '') ?? null,
    references: [...new Set(lines.flatMap(({ reference }) => reference ?? []))],
    receiptLink: isReceipted ? receiptLink(deps, first.paymentId) : null,
    refunds: joinRefunds(lines).map(({ refundedAt, timeZone, amountCents }) => ({
      refundedAt: zonedInstant(refundedAt, timeZone),
      amount: centsToDollars(amountCents),
    })),
    lines: lines.map((line) => presentLine(deps, line)),
  };
}

/** For the payer, a payment stands until its capture has failed for good. */
export const countsAsPaid = ({ chargeState }: Pick<LineRow, 'chargeState'>): boolean =>
  chargeState !== 'capture_failed';

const cardOf = ({ cardBrand, maskedCard }: LineRow): string =>
  [cardBrand, maskedCard].filter(Boolean).join(' ');

function stateOf(lines: readonly LineRow[]): ListedPayment['state'] {
  if (!lines.some(countsAsPaid)) return 'not-collected';
  const refunded = sum(lines, 'refundedCents');
  if (refunded === 0) return 'paid';
  return refunded < sum(lines, 'totalCents') ? 'partly-refunded' : 'refunded';
}

function presentFacts({ paymentId, at, timeZone, by, kind }: LineRow) {
  const how =
    by === 'office' ? ('office' as const) : kind === 'guest' ? ('guest' as const) : ('card' as const);
  return { paymentId, paidAt: zonedInstant(at, timeZone), by, how };
}

function presentLine(deps: PresentDeps, row: LineRow): PaymentLine {
  return {
    franchiseId: row.franchiseId,
    franchiseName: row.franchiseName,
    workOrderNumber: row.workOrderNumber,
    locationId: row.locationId,
    description: row.description,
    addressLine1: row.addressLine1,
    city: row.city,
    state: row.state,
    service: row.service,
    invoiceAmount: centsToDollars(row.invoiceCents),
    salesTax: centsToDollars(row.taxCents),
    services: centsToDollars(row.servicesCents),
    servicesTax: centsToDollars(row.servicesTaxCents),
    tip: centsToDollars(row.tipCents),
    total: centsToDollars(row.totalCents),
    refunded: centsToDollars(row.refundedCents),
    note: row.note,
    reference: row.reference,
    // The document shows where the invoice stands now, with its zip code.
    pdfLink:
      row.locationId === null ? null : documentLink(deps, { documentId: row.documentId, format: 'pdf' }),
  };
}

export function presentStatementRow(deps: PresentDeps, row: LineRow): StatementRow {
  return { ...presentFacts(row), ...presentLine(deps, row) };
}
