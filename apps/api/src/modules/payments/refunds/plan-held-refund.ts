import type { Cents } from '@brightpane/money/cents';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere, type PaymentGateway } from '../../../gateway/payment-gateway.ts';
import { mayProve, secondsToProofs } from '../listings/prove-absence.ts';
import { scanPatiently } from '../listings/scan-patiently.ts';
import { type Found, findTransaction } from '../sweep/find-transaction.ts';
import type { SeenOf } from './moves/refund-decision.ts';
import { isTaken } from './moves/refund-moves.queries.ts';
import { readRefunds } from './read-refunds.ts';
import { readSale } from './sale-standing.ts';
import { stampHeldRefund } from './stamp-held-refund.ts';
import { provedBy } from './sweep/confirm-refund.ts';
import { listUnclaimedKeys, type ReviewedRefund } from './sweep/refund-leases.queries.ts';

export type HeldRefundDecision = 'adopt' | 'not-made' | 'keep-asking';

/** Why a person's decision was refused. Nothing changed. */
export type HeldRefundRefusal =
  | {
      code:
        | 'not-held'
        | 'version-missing'
        | 'edited-meanwhile'
        | 'busy'
        | 'disputed'
        | 'not-collected-yet'
        | 'transaction-key-missing'
        | 'no-such-transaction'
        | 'transaction-taken'
        | 'unclaimed-refund'
        | 'records-unclear';
    }
  /** A list without the refund proves nothing yet. */
  | { code: 'too-early'; minutes: number }
  | { code: 'other-amount'; theirsCents: Cents; oursCents: Cents };

export type GivenDecision = {
  decision: HeldRefundDecision;
  transactionKey?: string | undefined;
  /** The version of the held refund that the person saw; **Keep asking** needs it. */
  version?: number | undefined;
};

export type Planned = SeenOf<'adopt' | 'rule-out' | 'keep-asking' | 'undo'> | HeldRefundRefusal;

const UNCLEAR = { code: 'records-unclear' } as const;

/** Turns a person's decision on a held refund into an event, after asking the provider's own records. */
export async function planHeldRefund(
  deps: Deps,
  refund: ReviewedRefund,
  { decision, transactionKey, version }: GivenDecision,
): Promise<Planned> {
  if (decision === 'keep-asking') return planKeepAsking(deps, refund, version);
  if (decision === 'adopt' && !transactionKey) return { code: 'transaction-key-missing' };
  // Captured is final. Any other charge may end as not collected, which makes its invoices due again by itself.
  if (decision === 'adopt' && refund.chargeState !== 'captured') return { code: 'not-collected-yet' };
  const standing = await findTransaction(deps, refund);
  if (standing.kind !== 'found') return UNCLEAR;
  if (decision === 'adopt') return planAdoption(refund, { standing, transactionKey: transactionKey ?? '' });
  return refund.state === 'made' ? planUndo(refund, standing) : planNotMade(deps, refund, standing);
}

/**
 * What held the refund no longer bars it, so a person lets pass only what they were shown: a refund made by hand meanwhile
 * would go out twice.
 */
async function planKeepAsking(
  { db }: Deps,
  refund: ReviewedRefund,
  version: number | undefined,
): Promise<Planned> {
  if (version === undefined) return { code: 'version-missing' };
  const unclaimedKeys = await listUnclaimedKeys(db.query, refund);
  if (version !== stampHeldRefund({ heldFor: refund.heldFor, unclaimedKeys }))
    return { code: 'edited-meanwhile' };
  return refund.isDisputed ? { code: 'disputed' } : { event: 'keep-asking', knownKeys: unclaimedKeys };
}

/**
 * A void is adopted by the sale's key, a refund by its own. The refund's record names the charge's order or, if an answer
 * to a refund of the charge named the record, none.
 */
async function planAdoption(
  refund: ReviewedRefund,
  { standing, transactionKey }: { standing: Found; transactionKey: string },
): Promise<Planned> {
  const { gateway, transaction: sale } = standing;
  if (transactionKey === sale.transactionKey) {
    if (sale.state !== 'voided') return { code: 'no-such-transaction' };
    if (refund.chargeCents !== refund.amountCents) return otherAmount(refund, refund.chargeCents);
    return { event: 'adopt', method: 'void', ...provedBy(sale) };
  }
  const found = await gateway.find({ transactionKey });
  if (found.kind === 'not-found') return { code: 'no-such-transaction' };
  if (found.kind !== 'found') return UNCLEAR;
  const { transaction } = found;
  const isRefund = transaction.type === 'C' && transaction.result === 'A' && transaction.state !== 'voided';
  const { orderId, answerKeys } = refund;
  const isOfCharge =
    transaction.orderId === orderId || (transaction.orderId === '' && answerKeys.includes(transactionKey));
  if (!isRefund || !isOfCharge) return { code: 'no-such-transaction' };
  if (transaction.amountCents !== refund.amountCents) return otherAmount(refund, transaction.amountCents);
  return { event: 'adopt', method: 'refund', ...provedBy(transaction) };
}

const otherAmount = ({ amountCents }: ReviewedRefund, theirsCents: Cents): HeldRefundRefusal => ({
  code: 'other-amount',
  theirsCents,
  oursCents: amountCents,
});

/**
 * Requires what the sweep requires: that the record named by the refund's answer shows no money, and a complete listing
 * without unowned refunds, late enough. For a void, the sale's own record tells: a settled batch takes no void, one on its
 * way may.
 */
async function planNotMade(deps: Deps, refund: ReviewedRefund, standing: Found): Promise<Planned> {
  // A refund that was never sent is withdrawn instead.
  if (!refund.isSent) return UNCLEAR;
  if (refund.method === 'void') {
    const read = readSale(standing, refund);
    const sale = read.kind === 'found' ? read.sale : null;
    const mayLand = (refund.voidOpenSeconds ?? 0) > 0 && sale !== 'settled';
    return sale === 'voided' || mayLand ? UNCLEAR : { event: 'rule-out' };
  }
  const answered = await readAnswered(deps, refund, standing.gateway);
  if (answered === 'unclear') return UNCLEAR;
  const since = await readEngineTime(deps.db.query);
  const scan = await readRefunds(deps, refund, {
    sale: standing,
    since,
    scan: (_, request) => scanPatiently(deps, request),
  });
  const isThere = answered === 'there' || (await listUnclaimedKeys(deps.db.query, refund)).length > 0;
  if (isThere) return { code: 'unclaimed-refund' };
  if (!scan.isComplete) return UNCLEAR;
  const minutes = Math.ceil(secondsToProofs(refund) / 60);
  return mayProve(refund) ? { event: 'rule-out' } : { code: 'too-early', minutes };
}

/** What the record that the refund's answer named shows, whatever its order: that record may name none. */
async function readAnswered(
  { db }: Deps,
  refund: ReviewedRefund,
  gateway: PaymentGateway,
): Promise<'there' | 'not-there' | 'unclear'> {
  const { refundId, answerKey } = refund;
  if (answerKey === null || (await isTaken(db.query, { refundId, transactionKey: answerKey })))
    return 'not-there';
  const found = await gateway.find({ transactionKey: answerKey });
  if (found.kind === 'not-found') return 'not-there';
  if (found.kind !== 'found') return 'unclear';
  const { type, result, state } = found.transaction;
  const isApproved = type === 'C' && (result === 'A' || result === 'P');
  return isApproved && state !== 'voided' ? 'there' : 'not-there';
}

/** Only the provider's record can undo what the provider made. That of an adopted refund may name no order. */
async function planUndo(refund: ReviewedRefund, { gateway, transaction }: Found): Promise<Planned> {
  if (refund.method === 'void') return isPaidThere(transaction) ? { event: 'undo' } : UNCLEAR;
  const found = refund.madeKey === null ? null : await gateway.find({ transactionKey: refund.madeKey });
  const isUndone =
    found?.kind === 'found' &&
    [refund.orderId, ''].includes(found.transaction.orderId) &&
    found.transaction.state === 'voided';
  return isUndone ? { event: 'undo' } : UNCLEAR;
}
