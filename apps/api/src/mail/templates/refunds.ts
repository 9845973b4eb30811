import { type Cents, formatUsd } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

type Line = { workOrderNumber: number; amountCents: Cents; fellDueCents: Cents };

type Refund = {
  method: 'void' | 'refund' | null;
  amountCents: Cents;
  card: string;
  reference: string;
  lines: Line[];
};

const rowsOf = ({ reference, lines }: Refund) => [
  { label: 'Reference', value: reference },
  ...lines.map(({ workOrderNumber, amountCents }) => ({
    label: `Work order ${workOrderNumber}`,
    value: formatUsd(amountCents),
  })),
];

/** Tells the payer about a refund, once the provider's own record shows it. */
export function refundMadeMail(refund: Refund): MailContent {
  const { method, amountCents, card, lines } = refund;
  const text =
    method === 'void'
      ? `We voided the charge of ${formatUsd(amountCents)} on your card ${card}. It disappears from the statement.`
      : `We refunded ${formatUsd(amountCents)} to your card ${card}. Banks show it in 5 to 10 business days.`;
  return mailLayout({
    subject: `Your refund of ${formatUsd(amountCents)}`,
    parts: [
      { kind: 'paragraph', text },
      { kind: 'table', rows: rowsOf(refund) },
      ...lines
        .filter(({ fellDueCents }) => fellDueCents > 0)
        .map((line) => ({
          kind: 'paragraph' as const,
          text: `${formatUsd(line.fellDueCents)} is due again on work order ${line.workOrderNumber}.`,
        })),
    ],
  });
}

/** Tells the payer that the provider took a refund back. */
export function refundUndoneMail(refund: Refund): MailContent {
  const { amountCents, card } = refund;
  return mailLayout({
    subject: `Your refund of ${formatUsd(amountCents)} was taken back`,
    parts: [
      {
        kind: 'paragraph',
        text: `The refund of ${formatUsd(amountCents)} to your card ${card} was taken back by the card provider. The money was not returned, and the work orders below count as paid again.`,
      },
      { kind: 'table', rows: rowsOf(refund) },
    ],
  });
}

/** Tells a refund's requester that it wasn't made, or needs a person. */
export function refundEndedMail(refund: Refund & { words: string }): MailContent {
  return mailLayout({
    subject: `The refund of ${formatUsd(refund.amountCents)} needs your attention`,
    parts: [
      { kind: 'paragraph', text: refund.words },
      { kind: 'table', rows: rowsOf(refund) },
    ],
  });
}

/** Tells the approvers that a refund waits for them. */
export function refundToApproveMail(request: { amountCents: Cents; by: string; url: string }): MailContent {
  const amount = formatUsd(request.amountCents);
  return mailLayout({
    subject: `A refund of ${amount} waits for approval`,
    parts: [
      {
        kind: 'paragraph',
        text: `${request.by} asked for a refund of ${amount}. Somebody else has to approve it.`,
      },
      { kind: 'button', label: 'Open refunds', url: request.url },
    ],
  });
}
