import { type Cents, cents, formatUsd, sumCents } from '@brightpane/money/cents';
import { type InvoiceTotals, sumTotals } from '@brightpane/money/invoice-totals';
import type { MailContent } from '../../db/schema/operations.ts';
import { type MailPart, mailLayout } from '../layout.ts';

export type ReceiptLine = {
  workOrderNumber: number;
  franchiseName: string;
  /** The date in the franchise's time zone: late in the evening, a payment across two zones is paid on two days. */
  paidOn: string;
  totals: InvoiceTotals;
  servicesNote: string | null;
};

/** One per merchant account, as on the card's statement. */
export type ReceiptCharge = { amountCents: Cents; cardBrand: string; maskedCard: string; reference: string };

/** A later refund, dated in the franchise's time zone. */
export type ReceiptRefund = { refundedOn: string; amountCents: Cents };

export type Receipt = {
  lines: ReceiptLine[];
  charges: ReceiptCharge[];
  /** Omitted on the first receipt. */
  refunds?: ReceiptRefund[];
  /** The receipt's page, for account holders. */
  receiptUrl?: string | null;
};

/** Lists what was paid, amount by amount, so that every column adds up. */
export function paymentReceipt({ lines, charges, refunds = [], receiptUrl = null }: Receipt): MailContent {
  return mailLayout({
    subject: `Receipt for your payment of ${formatUsd(totalOf(lines))}`,
    parts: [
      ...receiptParts({ lines, charges, refunds }),
      ...(receiptUrl === null ? [] : [{ kind: 'button', label: 'See receipt', url: receiptUrl } as const]),
      { kind: 'paragraph', text: 'Please keep this receipt for your records.' },
    ],
  });
}

const totalOf = (lines: ReceiptLine[]): Cents => sumTotals(lines.map((line) => line.totals)).totalCents;

/** The content of a receipt, shared by its mail and its document. */
export function receiptParts({ lines, charges, refunds = [] }: Omit<Receipt, 'receiptUrl'>): MailPart[] {
  const [paidOn, ...otherDays] = new Set(lines.map((line) => line.paidOn));
  const isOneDay = otherDays.length === 0;
  return [
    { kind: 'paragraph', text: `Thank you. We received your payment${isOneDay ? ` on ${paidOn}` : ''}.` },
    ...lines.flatMap((line) => lineParts(line, { isOneDay })),
    ...(lines.length > 1 ? total(lines.length, totalOf(lines)) : []),
    { kind: 'heading', text: charges.length > 1 ? 'Charged to your card' : 'Payment' },
    ...charges.map(chargePart),
    ...(refunds.length > 0 ? refundParts(refunds, totalOf(lines)) : []),
  ];
}

/** Each refund, and the payment's total without them. */
function refundParts(refunds: ReceiptRefund[], paidCents: Cents): MailPart[] {
  const netCents = cents(paidCents - sumCents(refunds.map(({ amountCents }) => amountCents)));
  return [
    { kind: 'heading', text: 'Refunded' },
    {
      kind: 'table',
      totalLast: true,
      rows: [
        ...refunds.map(({ refundedOn, amountCents }) => ({
          label: refundedOn,
          value: formatUsd(amountCents),
        })),
        { label: 'Net total', value: formatUsd(netCents) },
      ],
    },
  ];
}

function lineParts(
  { workOrderNumber, franchiseName, paidOn, totals, servicesNote }: ReceiptLine,
  { isOneDay }: { isOneDay: boolean },
): MailPart[] {
  const services = servicesNote ? `Additional services (${servicesNote})` : 'Additional services';
  return [
    { kind: 'heading', text: `Work order ${workOrderNumber}, ${franchiseName}` },
    {
      kind: 'table',
      totalLast: true,
      rows: [
        ...(isOneDay ? [] : [{ label: 'Paid on', value: paidOn }]),
        { label: 'Invoice amount', value: formatUsd(totals.invoiceCents) },
        ...(totals.servicesCents === 0 ? [] : [{ label: services, value: formatUsd(totals.servicesCents) }]),
        { label: 'Sales tax', value: formatUsd(totals.taxCents) },
        ...(totals.tipCents === 0 ? [] : [{ label: 'Tip', value: formatUsd(totals.tipCents) }]),
        { label: 'Total', value: formatUsd(totals.totalCents) },
      ],
    },
  ];
}

function total(count: number, totalCents: Cents): MailPart[] {
  return [
    { kind: 'heading', text: 'All together' },
    {
      kind: 'table',
      totalLast: true,
      rows: [{ label: `${count} work orders`, value: formatUsd(totalCents) }],
    },
  ];
}

function chargePart({ amountCents, cardBrand, maskedCard, reference }: ReceiptCharge): MailPart {
  return {
    kind: 'table',
    rows: [
      { label: 'Amount', value: formatUsd(amountCents) },
      { label: 'Card', value: `${cardBrand} ${maskedCard}` },
      { label: 'Reference', value: reference },
    ],
  };
}
