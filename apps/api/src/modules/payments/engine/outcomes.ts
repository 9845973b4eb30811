import type { Problem } from '@brightpane/contract/problem';
import { type Cents, formatUsd } from '@brightpane/money/cents';
import { invoiceNotFound } from '../../invoices/invoices.problems.ts';

/** An earlier hold of the same payment was approved. Older rows don't say. */
type HeldBefore = { isHeld?: boolean };

/** Why a begun payment was abandoned; nothing was charged. */
export type Abandonment =
  | ({ code: 'not-asked'; franchise?: string | null } & HeldBefore)
  | ({ code: 'declined'; sentence: string; franchise: string | null } & HeldBefore)
  | { code: 'not-in-full'; franchise: string | null }
  | { code: 'verification'; franchise: string | null }
  | { code: 'unclear'; franchise?: string | null }
  | { code: 'expired' }
  | { code: 'changed-meanwhile'; workOrderNumber: number; balanceCents: Cents }
  | { code: 'changed-unseen' };

export type PaidWorkOrder = { workOrderNumber: number; amountCents: Cents };

/**
 * An accepted payment of which some or all could not be collected. `paid` says what the card was charged, `dueAgain` what the
 * invoices asked again; those that asked nothing, or whose payer may not hear it, are in neither.
 */
export type CaptureFailure = { code: 'capture-failed'; paid: PaidWorkOrder[]; dueAgain: PaidWorkOrder[] };

export type Paid = { code: 'paid'; amountCents: Cents; references: string[] };

/** A payment decided before outcomes were stored: the answer its payer got. */
export type ToldBefore = { code: 'told-before'; status: number; body: Problem };

/** How a payment ended. Stored in the commit that decided it, and the truth for every replay of its key. */
export type StoredOutcome = Paid | { code: 'card-added' } | Abandonment | CaptureFailure | ToldBefore;

export const NOT_CHARGED = 'Your card was not charged.';
export const PENDING_DISAPPEARS = 'A pending amount at your bank disappears by itself.';

type Sentences = { [Code in Abandonment['code']]: (facts: Extract<Abandonment, { code: Code }>) => string };

/** What the payer reads of an abandoned payment, and staff after them. */
export const ABANDONED_SENTENCES: Sentences = {
  'not-asked': ({ franchise, isHeld }) =>
    `${unanswered(franchise)}${NOT_CHARGED} Please try again.${pendingIf(isHeld)}`,
  declined: ({ sentence, franchise, isHeld }) =>
    `${named(franchise, sentence)} ${NOT_CHARGED}${pendingIf(isHeld)}`,
  'not-in-full': ({ franchise }) =>
    `${named(franchise, 'This card could not be charged in full.')} ${NOT_CHARGED} ${PENDING_DISAPPEARS}`,
  verification: ({ franchise }) =>
    `${named(franchise, 'This payment needs verification by your bank.')} ${NOT_CHARGED} ${PENDING_DISAPPEARS}`,
  unclear: ({ franchise }) =>
    `${unanswered(franchise)}${NOT_CHARGED} Please try again. ${PENDING_DISAPPEARS}`,
  expired: () => `${NOT_CHARGED} Please try again. ${PENDING_DISAPPEARS}`,
  'changed-meanwhile': ({ workOrderNumber, balanceCents }) =>
    `${changedSentence(workOrderNumber, balanceCents)} ${NOT_CHARGED} ${PENDING_DISAPPEARS}`,
  // For payers who may not learn what is due.
  'changed-unseen': () => `${invoiceNotFound().body.detail} ${NOT_CHARGED} ${PENDING_DISAPPEARS}`,
};

/** The sentence of an abandoned payment; null for every other outcome. */
export function abandonedSentence(outcome: StoredOutcome): string | null {
  if (!(outcome.code in ABANDONED_SENTENCES)) return null;
  const abandonment = outcome as Abandonment;
  return (ABANDONED_SENTENCES[abandonment.code] as (facts: Abandonment) => string)(abandonment);
}

/** Whether the payer was told that their card was not charged. */
export function isNotCharged(outcome: StoredOutcome): boolean {
  if (outcome.code === 'told-before') return outcome.body.errors.some(({ code }) => code === 'NotCharged');
  return outcome.code in ABANDONED_SENTENCES;
}

/** Whether the payer was told of a pending amount, or would be by a replay. */
export function tellsOfPending(outcome: StoredOutcome): boolean {
  const told = outcome.code === 'told-before' ? outcome.body.detail : abandonedSentence(outcome);
  return told?.endsWith(PENDING_DISAPPEARS) ?? false;
}

export function changedSentence(workOrderNumber: number, balanceCents: Cents): string {
  return `Work order ${workOrderNumber} has changed: ${formatUsd(balanceCents)} is due now. Please check it and try again.`;
}

const named = (franchise: string | null, sentence: string) =>
  franchise ? `${franchise}: ${sentence}` : sentence;

const pendingIf = (isHeld: boolean | undefined) => (isHeld ? ` ${PENDING_DISAPPEARS}` : '');

/** Names the franchise whose account failed, if the payment has several. */
const unanswered = (franchise: string | null | undefined) =>
  franchise ? `${franchise}: The card processor did not answer. ` : '';
