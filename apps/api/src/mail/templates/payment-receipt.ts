import { type Cents, formatUsd } from '@brightpane/money/cents';
import { type InvoiceTotals, sumTotals } from '@brightpane/money/invoice-totals';
import type { MailContent } from '../../db/schema/operations.ts';
import { type MailPart, mailLayout } from '../layout.ts';

export type ReceiptLine = {
  workOrderNumber: number;
  franchiseName: string;
  totals: InvoiceTotals;
  servicesNote: string | null;
};

/** One for each merchant account: what stands on the card's statement. */
export type ReceiptCharge = { amountCents: Cents; cardBrand: string; maskedCard: string; reference: string };

export type Receipt = { paidOn: string; lines: ReceiptLine[]; charges: ReceiptCharge[] };

/** What was paid, amount by amount, so that every column of figures adds up. */
export function paymentReceipt({ paidOn, lines, charges }: Receipt): MailContent {
  const { totalCents } = sumTotals(lines.map((line) => line.totals));
  return mailLayout({
    subject: `Receipt for your payment of ${formatUsd(totalCents)}`,
    parts: [
      { kind: 'paragraph', text: `Thank you. We received your payment on ${paidOn}.` },
      ...lines.flatMap(lineParts),
      ...(lines.length > 1 ? total(lines.length, totalCents) : []),
      { kind: 'heading', text: charges.length > 1 ? 'Charged to your card' : 'Payment' },
      ...charges.map(chargePart),
      { kind: 'paragraph', text: 'Please keep this receipt for your records.' },
    ],
  });
}

function lineParts({ workOrderNumber, franchiseName, totals, servicesNote }: ReceiptLine): MailPart[] {
  const services = servicesNote ? `Additional services (${servicesNote})` : 'Additional services';
  return [
    { kind: 'heading', text: `Work order ${workOrderNumber}, ${franchiseName}` },
    {
      kind: 'table',
      totalLast: true,
      rows: [
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
