import type { Payment } from '@brightpane/contract/office/payments';
import { REFUND_REASON_WORDS } from '@brightpane/contract/office/words/refund-reasons';
import { cents, formatUsd } from '@brightpane/money/cents';
import { sumOfParts } from '@brightpane/money/parts';
import { isUnclear } from '../payments/payment-states.ts';
import { sayQueued } from '../refunds/mail-names.ts';
import { presentAct } from '../refunds/refund-acts.presenter.ts';
import type { RefundActRow, RefundRow } from '../refunds/refund-rows.queries.ts';
import type { PageMailRow, PageShareRow, PaymentPageRow } from './payment-page.queries.ts';

type Event = Payment['timeline'][number];

const DECISION_WORDS: Record<string, string> = {
  'review: release': 'Headquarters asked to give the hold back',
  'review: close': 'Headquarters closed it',
  'review: reverse': 'Headquarters asked to take the payment back',
  'review: collected': 'Headquarters saw it collected at the provider',
  'review: nothing-taken': 'Headquarters saw that nothing was taken',
};

/** What happened to a payment, oldest first, limited to the shares that the caller sees. */
export function paymentTimeline(
  { startedAt, shares }: PaymentPageRow,
  {
    answer,
    mails,
    notes,
    refunds,
    acts,
  }: {
    answer: string | null;
    mails: PageMailRow[];
    notes: Payment['notes'];
    refunds: RefundRow[];
    acts: RefundActRow[];
  },
): Event[] {
  const several = new Set(shares.map(({ franchiseId }) => franchiseId)).size > 1;
  const events: Event[] = [
    event(startedAt, 'started', 'Payment started'),
    ...shares.flatMap((share) => shareEvents(share, { answer, several })),
    ...refundEvents(refunds, acts),
    ...mails.map(({ at, kind, to }) => event(at, 'mail', sayQueued(kind), { detail: to === '' ? null : to })),
    ...notes.map(({ at, by, text }) => event(at, 'note', 'Note', { detail: text, by })),
  ];
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function shareEvents(
  share: PageShareRow,
  { answer, several }: { answer: string | null; several: boolean },
): Event[] {
  // Each office counts its own work orders, so that two may have the same number.
  const ofOffice = several ? ` of ${share.franchiseName}` : '';
  const where = several ? `${share.franchiseName}, ${formatUsd(cents(share.amountCents))}` : null;
  const add = (at: string | null, kind: string, text: string, detail = where): Event[] =>
    at === null ? [] : [event(at, kind, text, { detail })];
  const decided = {
    accepted: () => add(share.decidedAt, 'accepted', 'Paid'),
    declined: () => add(share.decidedAt, 'declined', 'Declined', answer ?? where),
    abandoned: () =>
      isUnclear(share.chargeState)
        ? add(
            share.decidedAt,
            'not-charged',
            'Not paid',
            answer === null ? where : `The payer was told: ${answer}`,
          )
        : add(share.decidedAt, 'not-charged', 'Not charged', answer ?? where),
  };
  return [
    ...decided[share.outcome](),
    ...add(share.collectedAt, 'collected', 'Collected'),
    ...add(share.reversedAt, 'failed', 'Not collected'),
    ...(share.reviews ?? []).flatMap(({ action, at, since }) => [
      ...add(since, 'review', 'Headquarters began to look at it'),
      ...add(at, 'review', DECISION_WORDS[action] ?? 'Headquarters decided about it'),
    ]),
    ...add(share.reviewSince, 'review', 'Headquarters is looking at it'),
    ...share.lines.flatMap(({ creditLookedAt, creditLookedBy, creditLookedNote, workOrderNumber }) =>
      creditLookedAt === null
        ? []
        : [
            event(
              creditLookedAt,
              'credit-looked-at',
              `Credit on work order ${workOrderNumber}${ofOffice} looked at`,
              {
                by: creditLookedBy,
                detail: creditLookedNote,
              },
            ),
          ],
    ),
  ];
}

/** Each event names its refund by the amount; the request also gives the reason. */
function refundEvents(refunds: RefundRow[], acts: RefundActRow[]): Event[] {
  return acts.flatMap((act) => {
    const refund = refunds.find(({ refundId }) => refundId === act.refundId);
    if (!refund) return [];
    const { at, by, event: name, text, detail } = presentAct(act);
    const amount = formatUsd(cents(refund.lines.reduce((sum, line) => sum + sumOfParts(line), 0)));
    const why = name === 'request' ? REFUND_REASON_WORDS[refund.reason] : null;
    const told = [why, detail].filter((part) => part !== null).join(' · ');
    const words = `Refund of ${amount}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
    return [event(at, 'refund', words, { detail: told === '' ? null : told, by })];
  });
}

const event = (
  at: string,
  kind: string,
  text: string,
  { detail = null, by = null }: { detail?: string | null; by?: string | null } = {},
): Event => ({ at: new Date(at).toISOString(), kind, text, detail, by });
