import { cents, formatUsd } from '@brightpane/money/cents';
import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import type { MailPart } from '../../../mail/layout.ts';
import { receiptParts } from '../../../mail/templates/payment-receipt.ts';
import { receiptTotals } from '../../../mail/templates/receipt-totals.ts';
import { joinRefunds } from '../../payments/history/join-refunds.ts';
import type { LineRow } from '../../payments/history/payment-lines.queries.ts';
import type { ShortHead } from '../pdf/start-page.ts';

/** The content of a receipt's document: its mail's content, and refunds since. */
export type ReceiptPage = {
  paymentId: string;
  title: string;
  /** The franchises that were paid. */
  author: string;
  shortHead: ShortHead;
  parts: MailPart[];
  /** Where the payer can find the payment again. */
  host: string;
};

/** Lays out the receipt of a payment's collected lines; at least one. */
export function receiptPage(rows: readonly LineRow[], publicUrl: string): ReceiptPage {
  const total = formatUsd(cents(rows.reduce((sum, { totalCents }) => sum + totalCents, 0)));
  const author = [...new Set(rows.map(({ franchiseName }) => franchiseName))].join(', ');
  const lines = rows.map((row) => ({
    workOrderNumber: row.workOrderNumber,
    franchiseName: row.franchiseName,
    paidOn: formatDay(franchiseDay(row.at, row.timeZone), 'long'),
    totals: receiptTotals(row),
    servicesNote: row.note,
  }));
  return {
    paymentId: rows[0]?.paymentId ?? '',
    title: `Receipt for your payment of ${total}`,
    author,
    shortHead: { name: author, about: 'Receipt' },
    parts: receiptParts({ lines, charges: receiptCharges(rows), refunds: receiptRefunds(rows) }),
    host: new URL(publicUrl).host,
  };
}

/** Groups lines by charge, as each charge has one reference. */
function receiptCharges(rows: readonly LineRow[]) {
  return [...Map.groupBy(rows, ({ reference }) => reference)].map(([reference, lines]) => ({
    amountCents: cents(lines.reduce((sum, { totalCents }) => sum + totalCents, 0)),
    cardBrand: lines[0]?.cardBrand ?? 'Card',
    maskedCard: lines[0]?.maskedCard ?? '',
    reference: reference ?? '',
  }));
}

const receiptRefunds = (rows: readonly LineRow[]) =>
  joinRefunds(rows).map(({ refundedAt, timeZone, amountCents }) => ({
    refundedOn: formatDay(franchiseDay(refundedAt, timeZone), 'long'),
    amountCents,
  }));
