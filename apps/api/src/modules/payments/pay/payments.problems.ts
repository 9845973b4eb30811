import type { Problem, ProblemError } from '@brightpane/contract/problem';
import { type Cents, formatUsd } from '@brightpane/money/cents';
import { problemBody } from '../../../http/problem.ts';
import { invoiceNotFound } from '../../invoices/invoices.problems.ts';
import {
  ABANDONED_SENTENCES,
  type Abandonment,
  type CaptureFailure,
  changedSentence,
  NOT_CHARGED,
  type PaidWorkOrder,
  PENDING_DISAPPEARS,
} from '../engine/outcomes.ts';

/** Why a payment didn't begin: nothing was claimed, charged or stored. */
export type Refusal =
  | { code: 'invoice-not-found' }
  | { code: 'card-not-found' }
  | { code: 'card-expired' }
  | { code: 'card-unreadable' }
  | { code: 'legal-not-accepted' }
  | { code: 'repeated-work-order'; workOrderNumber: number }
  | { code: 'already-paid'; workOrderNumber: number }
  | { code: 'in-progress'; workOrderNumber: number }
  | { code: 'invoice-changed'; workOrderNumber: number; balanceCents: Cents }
  | { code: 'tips-not-enabled'; workOrderNumber: number }
  | { code: 'total-not-positive'; workOrderNumber: number }
  | { code: 'credit-too-large'; workOrderNumber: number; maxCreditPercent: number }
  | { code: 'total-too-large' }
  | { code: 'unusable-key' }
  | { code: 'other-request' }
  | { code: 'paid-earlier'; paidCents: Cents; references: string[]; dueCents: Cents | null }
  | { code: 'not-paid-earlier'; dueCents: Cents | null; mayBePending: boolean }
  | { code: 'checked-earlier'; dueCents: Cents | null }
  | { code: 'same-key-in-progress' }
  | { code: 'card-in-progress' }
  | { code: 'card-deleted' }
  | { code: 'provider-failing' }
  | { code: 'payments-closed' }
  | { code: 'payer-closed' }
  | { code: 'account-closed'; franchise: string }
  | { code: 'payment-found'; workOrderNumber: number }
  | { code: 'too-many-cards'; retryAfterSeconds: number }
  | { code: 'too-many-attempts'; retryAfterSeconds: number }
  | { code: 'busy' }
  | { code: 'unconfirmed' }
  | { code: 'card-unconfirmed' };

type Problematic = Refusal | Abandonment | CaptureFailure;
type Of<Code extends Problematic['code']> = Extract<Problematic, { code: Code }>;

type Row<Code extends Problematic['code']> = {
  status: number;
  /** The code that clients branch on. */
  error: string;
  /** Set only on answers of an abandoned payment. */
  notCharged?: true;
  detail: (outcome: Of<Code>) => string;
  retryAfterSeconds?: (outcome: Of<Code>) => number;
};

const soon = () => 2;

/** Every way in which a payment can fail, and its answer. */
const PROBLEMS = {
  'invoice-not-found': { status: 404, error: 'NotFound', detail: () => invoiceNotFound().body.detail },
  'card-not-found': { status: 404, error: 'NotFound', detail: () => 'Payment method not found.' },
  'card-expired': {
    status: 400,
    error: 'CardExpired',
    detail: () => 'This card has expired. Please choose another one.',
  },
  'card-unreadable': {
    status: 400,
    error: 'CardUnreadable',
    detail: () => 'This card cannot be used any more. Add it again, or choose another card.',
  },
  'legal-not-accepted': {
    status: 400,
    error: 'LegalNotAccepted',
    detail: () => 'Please accept the terms to pay.',
  },
  'repeated-work-order': {
    status: 400,
    error: 'RepeatedWorkOrder',
    detail: ({ workOrderNumber }) => `Work order ${workOrderNumber} is in this payment twice.`,
  },
  'already-paid': {
    status: 400,
    error: 'AlreadyPaid',
    detail: ({ workOrderNumber }) => `Work order ${workOrderNumber} is already paid.`,
  },
  'in-progress': {
    status: 409,
    error: 'InProgress',
    detail: ({ workOrderNumber }) => `A payment for work order ${workOrderNumber} is already in progress.`,
    retryAfterSeconds: soon,
  },
  'invoice-changed': {
    status: 409,
    error: 'InvoiceChanged',
    detail: ({ workOrderNumber, balanceCents }) => changedSentence(workOrderNumber, balanceCents),
  },
  'tips-not-enabled': {
    status: 400,
    error: 'TipsNotEnabled',
    detail: ({ workOrderNumber }) => `Tips are not possible for work order ${workOrderNumber}.`,
  },
  'total-not-positive': {
    status: 400,
    error: 'TotalNotPositive',
    detail: ({ workOrderNumber }) => `The total of work order ${workOrderNumber} must be above $0.00.`,
  },
  'credit-too-large': {
    status: 400,
    error: 'CreditTooLarge',
    detail: ({ workOrderNumber, maxCreditPercent }) =>
      `Additional services may reduce work order ${workOrderNumber} by at most ${maxCreditPercent}%.`,
  },
  'total-too-large': {
    status: 400,
    error: 'TotalTooLarge',
    detail: () => 'A payment may come to at most $99,999.00.',
  },
  'unusable-key': {
    status: 400,
    error: 'InvalidIdempotencyKey',
    detail: () => 'We could not read this request.',
  },
  'other-request': {
    status: 422,
    error: 'KeyReused',
    detail: () => 'This payment was begun with other details. Load the page again to see what is paid.',
  },
  // The key stands for what the payer saw the first time. Tell both facts and charge nothing.
  'paid-earlier': {
    status: 409,
    error: 'PaidEarlier',
    detail: ({ paidCents, references, dueCents }) =>
      [`You paid ${formatUsd(paidCents)} earlier (${referencesOf(references)}).`, ...stillDue(dueCents)].join(
        ' ',
      ),
  },
  'not-paid-earlier': {
    status: 409,
    error: 'InvoiceChanged',
    notCharged: true,
    detail: ({ dueCents, mayBePending }) =>
      [
        'Your earlier payment did not go through.',
        NOT_CHARGED,
        ...(mayBePending ? [PENDING_DISAPPEARS] : []),
        ...stillDue(dueCents),
      ].join(' '),
  },
  // The provider had a payment of this key that our books lost; a person has dealt with it since.
  'checked-earlier': {
    status: 409,
    error: 'CheckedEarlier',
    detail: ({ dueCents }) => ['We have checked your earlier payment.', ...stillDue(dueCents)].join(' '),
  },
  'same-key-in-progress': {
    status: 409,
    error: 'InProgress',
    detail: () =>
      'This payment is still being made. Press Pay again in a moment to check; you will not be charged twice.',
    retryAfterSeconds: soon,
  },
  'card-in-progress': {
    status: 409,
    error: 'InProgress',
    detail: () =>
      'This card is still being added. Press Add Payment Method again in a moment to check; it will not be added twice.',
    retryAfterSeconds: soon,
  },
  'card-deleted': {
    status: 409,
    error: 'CardDeleted',
    detail: () =>
      'This card was added earlier and has been deleted since. Press Add Payment Method again to add it.',
  },
  'provider-failing': {
    status: 503,
    error: 'ProviderFailing',
    detail: () => 'Card payments are not possible at the moment.',
    retryAfterSeconds: () => 30,
  },
  'payments-closed': {
    status: 503,
    error: 'PaymentsClosed',
    detail: () => 'Payments are not possible at the moment.',
    retryAfterSeconds: () => 60,
  },
  'payer-closed': {
    status: 409,
    error: 'PayerClosed',
    detail: () => `Your account is closed. ${NOT_CHARGED}`,
  },
  'account-closed': {
    status: 503,
    error: 'AccountClosed',
    detail: ({ franchise }) =>
      `${franchise} cannot take cards here at the moment. Try again later, or call the office to pay.`,
    retryAfterSeconds: () => 60,
  },
  'payment-found': {
    status: 409,
    error: 'PaymentFound',
    detail: ({ workOrderNumber }) =>
      `We are checking whether work order ${workOrderNumber} has been paid already. Please try again later.`,
  },
  'too-many-cards': {
    status: 429,
    error: 'TooManyCards',
    detail: () => 'Too many cards were tried.',
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  },
  'too-many-attempts': {
    status: 429,
    error: 'TooManyAttempts',
    detail: () => 'Too many tries.',
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  },
  busy: {
    status: 503,
    error: 'Busy',
    detail: () => 'We are busy at the moment.',
    retryAfterSeconds: soon,
  },
  unconfirmed: {
    status: 503,
    error: 'Unconfirmed',
    detail: () =>
      'We could not confirm this payment. Press Pay again to check; you will not be charged twice.',
    retryAfterSeconds: soon,
  },
  'card-unconfirmed': {
    status: 503,
    error: 'Unconfirmed',
    detail: () =>
      'We could not confirm this card. Press Add Payment Method again to check; it will not be added twice.',
    retryAfterSeconds: soon,
  },
  'not-asked': {
    status: 503,
    error: 'ProviderFailing',
    notCharged: true,
    detail: ABANDONED_SENTENCES['not-asked'],
  },
  declined: {
    status: 400,
    error: 'Declined',
    notCharged: true,
    detail: ABANDONED_SENTENCES.declined,
  },
  'not-in-full': {
    status: 400,
    error: 'NotInFull',
    notCharged: true,
    detail: ABANDONED_SENTENCES['not-in-full'],
  },
  verification: {
    status: 400,
    error: 'VerificationNeeded',
    notCharged: true,
    detail: ABANDONED_SENTENCES.verification,
  },
  unclear: {
    status: 503,
    error: 'ProviderFailing',
    notCharged: true,
    detail: ABANDONED_SENTENCES.unclear,
  },
  expired: {
    status: 503,
    error: 'TimeUp',
    notCharged: true,
    detail: ABANDONED_SENTENCES.expired,
  },
  'changed-meanwhile': {
    status: 409,
    error: 'InvoiceChanged',
    notCharged: true,
    detail: ABANDONED_SENTENCES['changed-meanwhile'],
  },
  'changed-unseen': {
    status: 404,
    error: 'NotFound',
    notCharged: true,
    detail: ABANDONED_SENTENCES['changed-unseen'],
  },
  'capture-failed': {
    status: 409,
    error: 'CaptureFailed',
    detail: ({ paid, dueAgain }) =>
      [
        'Your payment could not be collected from your card.',
        ...(paid.length > 0 ? [`Paid: ${workOrders(paid)}.`] : []),
        ...(dueAgain.length > 0 ? [`Due again: ${workOrders(dueAgain)}.`] : []),
      ].join(' '),
  },
} satisfies { [Code in Problematic['code']]: Row<Code> };

const referencesOf = (references: string[]) =>
  `${references.length === 1 ? 'reference' : 'references'} ${references.join(', ')}`;

function stillDue(dueCents: Cents | null): string[] {
  if (dueCents === null) return [];
  if (dueCents === 0) return ['Nothing more is due.'];
  return [`${formatUsd(dueCents)} is still due. Press Pay again to pay it.`];
}

const workOrders = (list: PaidWorkOrder[]) =>
  list
    .map(({ workOrderNumber, amountCents }) => `work order ${workOrderNumber} (${formatUsd(amountCents)})`)
    .join(', ');

export type PaymentProblem = { status: number; body: Problem; retryAfterSeconds?: number };

/** The answer to a payment that failed. */
export function paymentProblem(outcome: Problematic): PaymentProblem {
  const row = PROBLEMS[outcome.code] as Row<Problematic['code']>;
  const detail = row.detail(outcome);
  const errors: ProblemError[] = [
    ...(row.notCharged ? [{ code: 'NotCharged', description: NOT_CHARGED }] : []),
    { code: row.error, description: detail },
  ];
  return {
    status: row.status,
    body: problemBody(row.status, detail, errors),
    ...(row.retryAfterSeconds && { retryAfterSeconds: row.retryAfterSeconds(outcome) }),
  };
}

/** The specific code for clients; "NotCharged", which many outcomes share, precedes it. */
export const errorOf = ({ code }: Problematic): string => PROBLEMS[code].error;
