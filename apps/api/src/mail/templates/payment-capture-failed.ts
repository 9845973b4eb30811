import { type Cents, formatUsd } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { type MailPart, mailLayout } from '../layout.ts';

export type FailedCapture = {
  dueAgain: { workOrderNumber: number; amountCents: Cents }[];
  /** Work orders of which nothing is due again, or whose payer may not hear what is. */
  notDue: number[];
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

const named = (workOrders: number[]) =>
  `work ${workOrders.length === 1 ? 'order' : 'orders'} ${workOrders.join(', ')}`;

/** What the card wasn't charged for. */
function notCharged({ dueAgain, notDue }: FailedCapture): string {
  if (dueAgain.length === 0) return `Your card was not charged for ${named(notDue)}.`;
  const below = dueAgain.length === 1 ? 'order below, and it is' : 'orders below, and they are';
  const due = `Your card was not charged for the work ${below} due again.`;
  return notDue.length === 0 ? due : `${due} It was not charged for ${named(notDue)} either.`;
}

/** Tells the payer that a confirmed payment could not be collected, and what is due again. */
export function captureFailedForPayer(failed: FailedCapture): MailContent {
  const { dueAgain, paid, reference, payUrl } = failed;
  const list = (heading: string, of: FailedCapture['paid']): MailPart[] =>
    of.length === 0
      ? []
      : [
          { kind: 'heading', text: heading },
          { kind: 'table', rows: rows(of) },
        ];
  return mailLayout({
    subject: 'Your payment could not be collected',
    parts: [
      {
        kind: 'paragraph',
        text: `We confirmed your payment with reference ${reference}, but the money could not be collected. ${notCharged(failed)} A pending amount at your bank disappears by itself. We are sorry for the trouble.`,
      },
      ...list('Due again', dueAgain),
      ...list('Paid', paid),
      ...(dueAgain.length === 0 ? [] : [{ kind: 'button', label: 'Pay now', url: payUrl } as const]),
    ],
  });
}

/** Tells the office that invoices it saw as paid aren't, and which are due again. */
export function captureFailedForOffice({ dueAgain, notDue, reference }: FailedCapture): MailContent {
  const reversed = 'It was reversed in the books, ';
  const isToldWhere = 'the payer is told where an address was left';
  return mailLayout({
    subject: 'A card payment could not be collected',
    parts: [
      {
        kind: 'paragraph',
        text: [
          `The card payment with reference ${reference} was accepted, but its capture became impossible.`,
          dueAgain.length === 0
            ? `${reversed}and ${isToldWhere}.`
            : `${reversed}${isToldWhere}, and ${dueAgain.length === 1 ? 'this invoice is' : 'these invoices are'} due again.`,
          ...(notDue.length === 0 ? [] : [`Nothing is due again on ${named(notDue)}.`]),
        ].join(' '),
      },
      ...(dueAgain.length === 0 ? [] : [{ kind: 'table', rows: rows(dueAgain) } as const]),
    ],
  });
}
