import { formatUsd } from '@brightpane/money/cents';
import { coded, notAllowed } from '../../../http/office.problems.ts';
import { HttpProblem } from '../../../http/problem.ts';
import type { DecisionRefusal } from './decide-held-refund.ts';
import type { ApprovalRefusal } from './requests/approve-refund.ts';
import type { WithdrawalRefusal } from './requests/withdraw-refund.ts';
import type { AgainRefusal } from './send-refund-again.ts';

type Refused =
  | AgainRefusal
  | DecisionRefusal
  | { code: ApprovalRefusal }
  | { code: WithdrawalRefusal }
  | { code: 'idempotency-key-missing' }
  /** Database trouble: nothing was done, or it isn't known whether it was. */
  | { code: 'crowded' | 'unconfirmed' };
type Code = Refused['code'];
type Of<Name extends Code> = Extract<Refused, { code: Name }>;

type Row<Name extends Code> = {
  status: number;
  /** The code that clients branch on. */
  error: string;
  detail: string | ((refused: Of<Name>) => string);
  field?: (refused: Of<Name>) => string | undefined;
  retryAfterSeconds?: number;
};

const order = ({ workOrderNumber }: { workOrderNumber: number }) => `work order ${workOrderNumber}`;
const Order = ({ workOrderNumber }: { workOrderNumber: number }) => `Work order ${workOrderNumber}`;

/** Which part of a work order; an amount is of all but the tip. */
const PARTS = { amount: '', services: 'the services of ', tip: 'the tip of ' };

const minutesAgo = (minutes: number) =>
  minutes === 0 ? 'less than a minute ago' : minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;

const PROBLEMS: { [Name in Exclude<Code, 'key-reused' | 'not-allowed'>]: Row<Name> } = {
  'idempotency-key-missing': {
    status: 400,
    error: 'IdempotencyKeyMissing',
    detail: 'Please send an Idempotency-Key with this refund.',
  },
  'repeated-work-order': {
    status: 400,
    error: 'RepeatedWorkOrder',
    detail: (refused) => `${Order(refused)} is in this refund twice.`,
  },
  'nothing-chosen': {
    status: 400,
    error: 'NothingChosen',
    detail: (refused) => `Please choose an amount or a tip for ${order(refused)}.`,
  },
  'effect-missing': {
    status: 400,
    error: 'EffectMissing',
    detail: (refused) => `Please say whether ${order(refused)} is due again or credited.`,
  },
  'note-missing': { status: 400, error: 'NoteMissing', detail: 'Please add a note.' },
  'transaction-key-missing': {
    status: 400,
    error: 'TransactionKeyMissing',
    detail: 'Please name the provider’s transaction.',
  },
  'own-request': {
    status: 403,
    error: 'OwnRequest',
    detail: 'Somebody else has to approve this refund.',
  },
  'payment-not-found': { status: 404, error: 'NotFound', detail: 'Payment not found.' },
  'not-in-this-payment': {
    status: 404,
    error: 'NotFound',
    detail: (refused) => `${Order(refused)} is not in this payment.`,
  },
  'refund-not-found': { status: 404, error: 'NotFound', detail: 'Refund not found.' },
  'more-than-left': {
    status: 409,
    error: 'MoreThanLeft',
    detail: (refused) =>
      `At most ${formatUsd(refused.mostCents)} of ${PARTS[refused.field]}${order(refused)} can still be refunded.`,
    field: ({ line, field }) => (line === undefined ? undefined : `lines.${line}.${field}`),
  },
  'already-refunded': {
    status: 409,
    error: 'AlreadyRefunded',
    detail: (refused) => `${Order(refused)} is fully refunded.`,
  },
  'under-way': {
    status: 409,
    error: 'RefundUnderWay',
    detail: ({ underWayCents }) => `${formatUsd(underWayCents)} of this payment is being refunded already.`,
  },
  'refund-held': {
    status: 409,
    error: 'RefundHeld',
    detail: 'A refund of this payment waits for a decision. Decide it first.',
  },
  'not-collected': {
    status: 409,
    error: 'NotCollected',
    detail: 'This payment was not collected. There is nothing to refund.',
  },
  'not-collected-yet': {
    status: 409,
    error: 'NotCollected',
    detail:
      'The portal has not collected this payment yet, so nothing can be adopted. Decide once it has, or withdraw the refund.',
  },
  disputed: {
    status: 409,
    error: 'Disputed',
    detail: 'This charge is disputed. A refund could pay twice.',
  },
  'overpaid-first': {
    status: 409,
    error: 'OverpaidFirst',
    detail: (refused) =>
      `${Order(refused)} is overpaid by ${formatUsd(refused.overpaidCents)}. Return that first; it makes nothing due.`,
  },
  'overpaid-leaving': {
    status: 409,
    error: 'OverpaidFirst',
    detail: (refused) =>
      `${Order(refused)} is overpaid by ${formatUsd(refused.overpaidCents)}, which is being returned. Wait until that is made.`,
  },
  'same-again': {
    status: 409,
    error: 'SameAgain',
    detail: ({ minutes }) =>
      `The same amount was requested ${minutesAgo(minutes)}. Confirm that it goes back a second time.`,
  },
  'not-requested': {
    status: 409,
    error: 'NotRequested',
    detail: 'This refund does not wait for approval.',
  },
  'too-late': {
    status: 409,
    error: 'TooLate',
    detail: 'This refund is on its way and cannot be withdrawn.',
  },
  ended: { status: 409, error: 'Ended', detail: 'This refund has ended.' },
  'still-open': {
    status: 409,
    error: 'StillOpen',
    detail: 'This refund has not ended. Do not send it again.',
  },
  'sent-again-already': {
    status: 409,
    error: 'SentAgainAlready',
    detail: 'This refund was sent again already.',
  },
  'not-held': { status: 409, error: 'NotHeld', detail: 'This refund does not wait for a decision.' },
  'version-missing': {
    status: 428,
    error: 'VersionRequired',
    detail: 'Load this refund again, then decide.',
  },
  'edited-meanwhile': {
    status: 409,
    error: 'EditedMeanwhile',
    detail: 'What holds this refund has changed since you looked. Look at it again, then decide.',
  },
  'no-such-transaction': {
    status: 409,
    error: 'NoSuchTransaction',
    detail: 'The provider shows no such refund of this payment.',
  },
  'transaction-taken': {
    status: 409,
    error: 'TransactionTaken',
    detail: 'This transaction belongs to another refund.',
  },
  'other-amount': {
    status: 409,
    error: 'OtherAmount',
    detail: ({ theirsCents, oursCents }) =>
      `The provider’s refund is ${formatUsd(theirsCents)}, this one is ${formatUsd(oursCents)}.`,
  },
  'unclaimed-refund': {
    status: 409,
    error: 'UnclaimedRefund',
    detail: 'The provider shows a refund that nobody has claimed. Adopt it or keep asking.',
  },
  'too-early': {
    status: 409,
    error: 'TooEarly',
    detail: ({ minutes }) =>
      `The provider may still show it. Say this again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  },
  'records-unclear': {
    status: 409,
    error: 'RecordsUnclear',
    detail: 'The provider’s records do not prove this. Nothing was changed.',
  },
  busy: {
    status: 409,
    error: 'Busy',
    detail: 'This refund is being worked on. Please try again in a minute.',
  },
  crowded: {
    status: 503,
    error: 'Busy',
    detail: 'We are busy at the moment. Please try again.',
    retryAfterSeconds: 2,
  },
  unconfirmed: {
    status: 503,
    error: 'Unconfirmed',
    detail: 'We could not confirm this request. Send it again; it refunds once.',
    retryAfterSeconds: 2,
  },
  'begun-elsewhere': {
    status: 409,
    error: 'BegunElsewhere',
    detail:
      'This payment was made at another address of the portal, and is not refunded from here. Tell whoever runs the portal.',
  },
  'refunds-closed': {
    status: 503,
    error: 'RefundsClosed',
    detail: 'Refunds are not possible until the books have been compared with the provider’s list.',
    retryAfterSeconds: 60,
  },
};

/** Why a refund was not requested, or an act on it not done. */
export function refundProblem(refused: Refused): HttpProblem {
  if (refused.code === 'not-allowed') return notAllowed();
  if (refused.code === 'key-reused') return keyReusedForRefund();
  const row = PROBLEMS[refused.code] as Row<Code>;
  const detail = typeof row.detail === 'string' ? row.detail : row.detail(refused as never);
  const field = row.field?.(refused as never);
  return new HttpProblem(row.status, detail, {
    errors: [{ code: row.error, description: detail, ...(field !== undefined && { field }) }],
    ...(row.retryAfterSeconds !== undefined && {
      headers: { 'retry-after': String(row.retryAfterSeconds) },
    }),
  });
}

const keyReusedForRefund = () =>
  coded(422, 'KeyReused', 'This refund was begun with other details. Please load the page again.');

export const chargeNotFound = () => coded(404, 'NotFound', 'Charge not found.');
export const disputeTooLarge = (most: string) =>
  coded(400, 'InvalidAmount', `At most ${most} of this charge can be disputed.`, 'amount');
