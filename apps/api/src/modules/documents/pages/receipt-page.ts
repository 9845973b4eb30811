import { type Cents, cents, formatUsd } from '@brightpane/money/cents';
import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import type { MailPart } from '../../../mail/layout.ts';
import { receiptParts } from '../../../mail/templates/payment-receipt.ts';
import { receiptTotals } from '../../../mail/templates/receipt-totals.ts';
import { joinRefunds } from '../../payments/history/join-refunds.ts';
import type { LineRow } from '../../payments/history/payment-lines.queries.ts';
import type { ShortHead } from '../pdf/start-page.ts';

/** What is on a receipt's document: what its mail says, and what has been given back since. */
export type ReceiptPage = {
  paymentId: string;
  title: string;
  /** From whom: the franchises that were paid. */
  author: string;
  shortHead: ShortHead;
  parts: MailPart[];
  /** Where the payer finds it again. */
  host: string;
};

const usd = (amount: number) => formatUsd(cents(amount));

/** Lays out the receipt of a payment's lines that were collected; there is one at least. */
export function receiptPage(rows: readonly LineRow[], publicUrl: string): ReceiptPage {
  const total = usd(rows.reduce((sum, { totalCents }) => sum + totalCents, 0));
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

/** A charge has one reference, of whichever lines it is. */
function receiptCharges(rows: readonly LineRow[]) {
  return [...Map.groupBy(rows, ({ reference }) => reference)].map(([reference, lines]) => ({
    amountCents: cents(lines.reduce((sum, { totalCents }) => sum + totalCents, 0)) as Cents,
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
