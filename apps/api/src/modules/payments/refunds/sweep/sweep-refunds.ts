import type { Deps } from '../../../../deps.ts';
import { traceTask } from '../../../../jobs/observe-task.ts';
import { isOverdue } from '../../sweep/is-hopeless.ts';
import { restAccount } from '../../sweep/leases.queries.ts';
import { decideRefund } from '../decide-refund.ts';
import { lost, REST_SECONDS, type RefundFinding, type TryAgain, tryAgain } from '../refund-findings.ts';
import { startRefund } from '../start-refund.ts';
import { findLostRefund } from './find-lost-refund.ts';
import {
  type LeasedRefund,
  leaseRefunds,
  postponeRefund,
  renewRefundLeases,
} from './refund-leases.queries.ts';
import { KEYS_REFUSED } from './send-refund.ts';

/** A refund waiting to be sent for so long goes on the review list; the sweep keeps working on it. */
const LATE_SECONDS = 48 * 60 * 60;

/**
 * Works off one account's due refunds. The rows hold all state, so any number of workers may run. Works one by one, as
 * each refund can reuse the list that the previous one read.
 */
export async function sweepRefunds(
  deps: Deps,
  { accountId, isStopping = () => false }: { accountId: number; isStopping?: () => boolean },
): Promise<void> {
  const { db, env } = deps;
  while (!isStopping()) {
    const refunds = await leaseRefunds(db.query, { publicUrl: env.PUBLIC_URL, accountId });
    if (refunds.length === 0) return;
    for (const [index, refund] of refunds.entries()) {
      if (isStopping()) return;
      await renewRefundLeases(db.query, refunds.slice(index));
      await sweepAlone(deps, refund);
    }
  }
}

/** A failing refund keeps its lease until that ends, and holds up no other. */
async function sweepAlone(deps: Deps, refund: LeasedRefund): Promise<void> {
  try {
    await traceTask(deps, 'sweep-refunds', () => sweepRefund(deps, refund));
  } catch (error) {
    const { refundId, state } = refund;
    deps.log.error({ err: error, refundId, state, alert: 'a refund fails' }, 'a refund needs attention');
  }
}

async function sweepRefund(deps: Deps, refund: LeasedRefund): Promise<void> {
  const finding = await workOn(deps, refund);
  const { alert, isTooMany, ...found } = finding;
  const { refundId, state, accountId } = refund;
  deps.log.info({ refundId, state, finding: found.event }, 'swept a refund');
  if (alert) deps.log.error({ refundId, accountId, alert }, 'a refund needs attention');
  if (isTooMany) await restAccount(deps.db.query, { accountId, seconds: REST_SECONDS });
  if (found.event === 'try-again') await postpone(deps, refund, found);
  else await decide(deps, refund, found);
}

async function decide(
  deps: Deps,
  refund: LeasedRefund,
  found: Exclude<RefundFinding, TryAgain>,
): Promise<void> {
  const { intentId, refundId, fence } = refund;
  const decided = await decideRefund(deps, { intentId, decision: { ...found, refundId, fence } });
  if (decided.result !== 'taken') return;
  // Another row owns the record: an `unknown` refund goes to a person; one just sent is first looked for again.
  const event = refund.state === 'unknown' ? ({ event: 'hold', heldFor: 'taken' } as const) : lost(refund);
  await decideRefund(deps, { intentId, decision: { ...event, refundId, fence } });
}

async function postpone(
  deps: Deps,
  refund: LeasedRefund,
  { againInSeconds: seconds, trouble, waitsFor }: TryAgain,
): Promise<void> {
  const { refundId, accountId } = refund;
  if (trouble === 'too-many-requests') await restAccount(deps.db.query, { accountId, seconds: REST_SECONDS });
  if (trouble === 'keys-refused')
    deps.log.error({ refundId, accountId, alert: KEYS_REFUSED }, 'a refund needs attention');
  const { state, waitingSeconds, overdueSeconds } = refund;
  const isLate =
    state === 'waiting'
      ? waitingSeconds > LATE_SECONDS
      : state === 'unknown' && isOverdue(overdueSeconds ?? 0);
  await postponeRefund(deps.db.query, refund, { seconds, isLate, ...(waitsFor && { waitsFor }) });
}

/** A row in `sending` belongs to its sender until the deadline; after that its answer is lost. */
async function workOn(deps: Deps, refund: LeasedRefund): Promise<RefundFinding> {
  switch (refund.state) {
    case 'waiting':
      return startRefund(deps, refund);
    case 'sending':
      return (refund.overdueSeconds ?? 0) > 0 ? { ...lost(refund), againInSeconds: 0 } : tryAgain(refund);
    case 'unknown':
      return findLostRefund(deps, refund);
    default:
      throw new Error(`a refund that is ${refund.state} was leased`);
  }
}
