import { type Cents, cents, formatUsd } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

export type CreditNote = {
  workOrderNumber: number;
  /** Negative: the payer's deduction. */
  servicesCents: Cents;
  servicesTaxCents: Cents;
  paidCents: Cents;
  note: string | null;
};

/** Tells the office that a payer reduced an invoice, with the payer's note. */
export function paymentCreditNote(credit: CreditNote): MailContent {
  const { workOrderNumber, servicesCents, servicesTaxCents, paidCents, note } = credit;
  return mailLayout({
    subject: `Credit of ${formatUsd(cents(-servicesCents - servicesTaxCents))} on work order ${workOrderNumber}`,
    parts: [
      {
        kind: 'paragraph',
        text: `The payer of work order ${workOrderNumber} has reduced it, and paid the rest. Nothing more is due.`,
      },
      {
        kind: 'table',
        rows: [
          { label: 'Credit', value: formatUsd(servicesCents) },
          { label: 'Sales tax on it', value: formatUsd(servicesTaxCents) },
          { label: 'Paid', value: formatUsd(paidCents) },
        ],
      },
      { kind: 'heading', text: 'Their note' },
      { kind: 'paragraph', text: note ?? '' },
    ],
  });
}
