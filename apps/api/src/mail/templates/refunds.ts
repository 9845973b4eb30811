import { type Cents, formatUsd } from '@brightpane/money/cents';
import type { MailContent } from '../../db/schema/operations.ts';
import { type MailPart, mailLayout } from '../layout.ts';

type Line = { workOrderNumber: number; amountCents: Cents; fellDueCents: Cents };

type Refund = {
  method: 'void' | 'refund' | null;
  amountCents: Cents;
  card: string;
  reference: string;
  lines: Line[];
};

/** A sentence for each line that fell due again when the refund was made. */
const ofDue = (lines: Line[], say: (amount: string, workOrder: string) => string): MailPart[] =>
  lines
    .filter(({ fellDueCents }) => fellDueCents > 0)
    .map(({ fellDueCents, workOrderNumber }) => ({
      kind: 'paragraph',
      text: say(formatUsd(fellDueCents), `work order ${workOrderNumber}`),
    }));

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
      ...ofDue(lines, (amount, workOrder) => `${amount} is due again on ${workOrder}.`),
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
        text: `The refund of ${formatUsd(amountCents)} to your card ${card} was taken back by the card provider. The money was not returned.`,
      },
      { kind: 'table', rows: rowsOf(refund) },
      ...ofDue(refund.lines, (amount, workOrder) => `${amount} counts as paid again on ${workOrder}.`),
    ],
  });
}

/** Tells a refund's requester that it wasn't made, or needs a person. Of one that was withdrawn, nothing was sent. */
export function refundEndedMail(refund: Refund & { words: string; isWithdrawn: boolean }): MailContent {
  return mailLayout({
    subject: `The refund of ${formatUsd(refund.amountCents)} ${refund.isWithdrawn ? 'was withdrawn' : 'needs your attention'}`,
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
