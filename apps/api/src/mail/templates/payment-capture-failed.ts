import { type Cents, formatUsd } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { type MailPart, mailLayout } from '../layout.ts';

export type FailedCapture = {
  dueAgain: { workOrderNumber: number; amountCents: Cents }[];
  /** Work orders of the same payment that were collected. */
  paid: { workOrderNumber: number; amountCents: Cents }[];
  reference: string;
  /** Where the payer can pay again. */
  payUrl: string;
};

const rows = (list: FailedCapture['dueAgain']) =>
  list.map(({ workOrderNumber, amountCents }) => ({
    label: `Work order ${workOrderNumber}`,
    value: formatUsd(amountCents),
  }));

/** Tells the payer that a confirmed payment could not be collected, and what is due again. */
export function captureFailedForPayer({ dueAgain, paid, reference, payUrl }: FailedCapture): MailContent {
  const stillPaid: MailPart[] =
    paid.length === 0
      ? []
      : [
          { kind: 'heading', text: 'Paid' },
          { kind: 'table', rows: rows(paid) },
        ];
  return mailLayout({
    subject: 'Your payment could not be collected',
    parts: [
      {
        kind: 'paragraph',
        text: `We confirmed your payment with reference ${reference}, but the money could not be collected. Your card was not charged for the work orders below, and they are due again. A pending amount at your bank disappears by itself. We are sorry for the trouble.`,
      },
      { kind: 'heading', text: 'Due again' },
      { kind: 'table', rows: rows(dueAgain) },
      ...stillPaid,
      { kind: 'button', label: 'Pay now', url: payUrl },
    ],
  });
}

/** Tells the office that invoices it saw as paid are due again. */
export function captureFailedForOffice({ dueAgain, reference }: FailedCapture): MailContent {
  return mailLayout({
    subject: 'A card payment could not be collected',
    parts: [
      {
        kind: 'paragraph',
        text: `The card payment with reference ${reference} was accepted, but its capture became impossible. It was reversed in the books, the payer is told where an address was left, and these invoices are due again.`,
      },
      { kind: 'table', rows: rows(dueAgain) },
    ],
  });
}
