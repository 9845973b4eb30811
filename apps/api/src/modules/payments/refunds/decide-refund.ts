import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { lockInvoices } from '../../invoices/payable-invoices.queries.ts';
import { lockIntent } from '../engine/payments.queries.ts';
import { areRefundsOpen } from '../epoch/epoch.queries.ts';
import type { HeldFor } from './moves/held-for.ts';
import { moveByEvent } from './moves/move-by-event.ts';
import type { RefundDecision, SeenOf } from './moves/refund-decision.ts';
import {
  type DecidedRefund,
  findRefund,
  isTaken,
  ownSeenRefund,
  storeApproval,
} from './moves/refund-moves.queries.ts';
import { type RefundEvent, refundTransitionOf } from './moves/refund-transitions.ts';
import { findBar, mayBeSent } from './refund-bars.queries.ts';
import { lockSends } from './refunds-ahead.queries.ts';

export type RefundDecided =
  | { result: 'applied' }
  | { result: 'unmoved' }
  /** The provider's transaction belongs to another refund. */
  | { result: 'taken' }
  /** It may not be sent: for a reason that a person must decide on or, if null, only for now. */
  | { result: 'barred'; heldFor: HeldFor | null };

const UNMOVED = { result: 'unmoved' } as const;
const APPLIED = { result: 'applied' } as const;

export type RefundDeps = Pick<Deps, 'db' | 'env' | 'log' | 'books' | 'metrics'>;

type Decided = { intentId: string; decision: RefundDecision };

/**
 * Where a refund changes state, except one that is dropped in its charge's commit (`dropRefunds`). Locks the payment first
 * and makes each event's whole effect one commit.
 */
export async function decideRefund(deps: RefundDeps, decided: Decided): Promise<RefundDecided> {
  const outcome = await deps.db.transaction((tx) => decideRefundIn(deps, tx, decided));
  const { event, refundId } = decided.decision;
  deps.log.info({ intentId: decided.intentId, refundId, event, result: outcome.result }, 'refund');
  return outcome;
}

/** Decides within the caller's transaction. */
export async function decideRefundIn(
  deps: RefundDeps,
  tx: Queryable,
  { intentId, decision }: Decided,
): Promise<RefundDecided> {
  await lockIntent(tx, intentId);
  const refund = await findRefund(tx, decision.refundId);
  if (!refund) return UNMOVED;
  const { locks } = refundTransitionOf(decision.event);
  if (locks.includes('sends')) await lockSends(tx, refund.invoiceIds);
  if (locks.includes('invoices')) await lockInvoices(tx, refund.invoiceIds);
  const decided = await apply(deps, tx, { intentId, refund, decision });
  if (decided.result === 'applied') countOutcome(deps, decision.event);
  return decided;
}

const OUTCOMES = ['made', 'refused', 'not_made', 'held', 'withdrawn'];

function countOutcome({ metrics }: RefundDeps, event: RefundEvent): void {
  const { to, stamps } = refundTransitionOf(event);
  const outcome = stamps === 'undone_at' ? 'undone' : to;
  if (outcome === 'undone' || OUTCOMES.includes(outcome)) metrics.refunds.inc({ outcome });
}

type Given = Decided & { refund: DecidedRefund };

async function apply(deps: RefundDeps, tx: Queryable, given: Given): Promise<RefundDecided> {
  const { decision } = given;
  switch (decision.event) {
    case 'approve':
      return approveAll(tx, given, decision.actor.id);
    case 'send': {
      const barred = await findWhatBars(deps, tx, given, decision);
      if (barred) return barred;
      break;
    }
    case 'confirm':
    case 'adopt':
      if (isOwnable(decision) && (await isTaken(tx, decision))) return { result: 'taken' };
      break;
  }
  if (!(await moveByEvent(tx, given))) return UNMOVED;
  if (decision.event === 'confirm' || decision.event === 'adopt') await own(tx, decision);
  return APPLIED;
}

type Making = SeenOf<'confirm' | 'adopt'> & { refundId: string };

/** A void changes the sale's own record; a refund has its own record, which belongs to one row. */
const isOwnable = ({ method }: Making) => method === 'refund';

const own = async (tx: Queryable, making: Making) => isOwnable(making) && (await ownSeenRefund(tx, making));

/** Rechecks everything that could bar the refund, under its locks. */
async function findWhatBars(
  { env, books }: RefundDeps,
  tx: Queryable,
  { intentId, refund: { refundId, franchiseIds } }: Given,
  { method }: SeenOf<'send'>,
): Promise<RefundDecided | null> {
  const publicUrl = env.PUBLIC_URL;
  // First, as another refund may be made between the two: then the figures that bar this one have to show it.
  const isReady = await mayBeSent(tx, { refundId, method, publicUrl });
  const heldFor = await findBar(tx, refundId);
  if (heldFor) return { result: 'barred', heldFor };
  const place = { publicUrl, intentId, franchiseIds, seen: books.newest() };
  return isReady && (await areRefundsOpen(tx, place)) ? null : { result: 'barred', heldFor: null };
}

/** An approval covers the whole request. */
async function approveAll(tx: Queryable, given: Given, by: string): Promise<RefundDecided> {
  const { refund, decision } = given;
  const approved = await storeApproval(tx, { requestId: refund.requestId, by });
  if (!approved.includes(refund.refundId)) return UNMOVED;
  for (const refundId of approved) {
    const each = await findRefund(tx, refundId);
    if (each) await moveByEvent(tx, { ...given, refund: each, decision: { ...decision, refundId } });
  }
  return APPLIED;
}
