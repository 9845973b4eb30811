import { type Cents, formatUsd, sumCents } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

const MAX_NAMED = 200;

/** Tells an office which invoices are overpaid. The portal refunds nothing by itself. */
export function overpaidMail({
  franchiseName,
  overpayments,
}: {
  franchiseName: string;
  overpayments: { workOrderNumber: number; overpaidCents: Cents }[];
}): MailContent {
  const total = sumCents(overpayments.map(({ overpaidCents }) => overpaidCents));
  const [only] = overpayments;
  const isOne = overpayments.length === 1;
  const subject =
    isOne && only
      ? `Work order ${only.workOrderNumber} is overpaid by ${formatUsd(only.overpaidCents)}`
      : `${overpayments.length} work orders are overpaid by ${formatUsd(total)}`;
  const unnamed = overpayments.length - MAX_NAMED;
  return mailLayout({
    subject,
    parts: [
      {
        kind: 'paragraph',
        text: `After your last import, more has been received than ${isOne ? 'this invoice' : 'these invoices'} of ${franchiseName} ${isOne ? 'comes' : 'come'} to: a payment that reached you after one by card, or an amount that was lowered. Nothing was given back; please agree with your customer on what becomes of it.`,
      },
      {
        kind: 'table',
        rows: [
          ...overpayments.slice(0, MAX_NAMED).map(({ workOrderNumber, overpaidCents }) => ({
            label: `Work order ${workOrderNumber}`,
            value: formatUsd(overpaidCents),
          })),
          ...(unnamed > 0 ? [{ label: `and ${unnamed} more`, value: '' }] : []),
          { label: 'Overpaid in all', value: formatUsd(total) },
        ],
        totalLast: true,
      },
    ],
  });
}
