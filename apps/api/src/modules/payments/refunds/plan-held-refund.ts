import type { Cents } from '@brightpane/money/cents';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere } from '../../../gateway/payment-gateway.ts';
import { scanPatiently } from '../listings/scan-patiently.ts';
import { findTransaction, type Standing } from '../sweep/find-transaction.ts';
import type { SeenOf } from './moves/refund-decision.ts';
import { readRefunds } from './read-refunds.ts';
import { provedBy } from './sweep/confirm-refund.ts';
import { listUnclaimedKeys, type ReviewedRefund } from './sweep/refund-leases.queries.ts';

export type HeldRefundDecision = 'adopt' | 'not-made' | 'keep-asking';

/** Why a person's decision was refused. Nothing changed. */
export type HeldRefundRefusal =
  | {
      code:
        | 'not-held'
        | 'busy'
        | 'disputed'
        | 'transaction-key-missing'
        | 'no-such-transaction'
        | 'transaction-taken'
        | 'unclaimed-refund'
        | 'records-unclear';
    }
  | { code: 'other-amount'; theirsCents: Cents; oursCents: Cents };

export type Planned = SeenOf<'adopt' | 'rule-out' | 'keep-asking' | 'undo'> | HeldRefundRefusal;

type Found = Extract<Standing, { kind: 'found' }>;

const UNCLEAR = { code: 'records-unclear' } as const;

/** Turns a person's decision on a held refund into an event, after asking the provider's own records. */
export async function planHeldRefund(
  deps: Deps,
  refund: ReviewedRefund,
  { decision, transactionKey }: { decision: HeldRefundDecision; transactionKey?: string | undefined },
): Promise<Planned> {
  if (decision === 'keep-asking') {
    if (refund.isDisputed) return { code: 'disputed' };
    return { event: 'keep-asking', knownKeys: await listUnclaimedKeys(deps.db.query, refund) };
  }
  if (decision === 'adopt' && !transactionKey) return { code: 'transaction-key-missing' };
  const standing = await findTransaction(deps, refund);
  if (standing.kind !== 'found') return UNCLEAR;
  if (decision === 'adopt') return planAdoption(refund, { standing, transactionKey: transactionKey ?? '' });
  return refund.state === 'made' ? planUndo(refund, standing) : planNotMade(deps, refund, standing);
}

/** A void is adopted by the sale's key, a refund by its own. */
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
  const isRefund = transaction.type === 'C' && transaction.result === 'A';
  if (!isRefund || transaction.orderId !== refund.orderId) return { code: 'no-such-transaction' };
  if (transaction.amountCents !== refund.amountCents) return otherAmount(refund, transaction.amountCents);
  return { event: 'adopt', method: 'refund', ...provedBy(transaction) };
}

const otherAmount = ({ amountCents }: ReviewedRefund, theirsCents: Cents): HeldRefundRefusal => ({
  code: 'other-amount',
  theirsCents,
  oursCents: amountCents,
});

/** Requires a complete current listing without unowned refunds or, for a void, the sale's own record. */
async function planNotMade(deps: Deps, refund: ReviewedRefund, standing: Found): Promise<Planned> {
  // A refund that was never sent is withdrawn instead.
  if (!refund.isSent) return UNCLEAR;
  const { gateway, transaction } = standing;
  if (refund.method === 'void') {
    const mayLand = (refund.voidOpenSeconds ?? 0) > 0 && transaction.state !== 'settled';
    return transaction.state === 'voided' || mayLand ? UNCLEAR : { event: 'rule-out' };
  }
  const since = await readEngineTime(deps.db.query);
  const scan = await readRefunds(deps, refund, {
    gateway,
    since,
    scan: (_, request) => scanPatiently(deps, request),
  });
  if ((await listUnclaimedKeys(deps.db.query, refund)).length > 0) return { code: 'unclaimed-refund' };
  return scan.isComplete ? { event: 'rule-out' } : UNCLEAR;
}

/** Only the provider's record can undo what the provider made. */
async function planUndo(refund: ReviewedRefund, { gateway, transaction }: Found): Promise<Planned> {
  if (refund.method === 'void') return isPaidThere(transaction) ? { event: 'undo' } : UNCLEAR;
  const found = refund.madeKey === null ? null : await gateway.find({ transactionKey: refund.madeKey });
  const isUndone =
    found?.kind === 'found' &&
    found.transaction.orderId === refund.orderId &&
    found.transaction.state === 'voided';
  return isUndone ? { event: 'undo' } : UNCLEAR;
}
