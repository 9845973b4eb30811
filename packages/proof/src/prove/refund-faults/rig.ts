import { sql } from 'drizzle-orm';
import { compareBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import type { Difference } from '../../../../../apps/api/src/modules/payments/books/compare-rows.ts';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { compareLedgers } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import type { Refundable } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { isRefunded } from '../../simulation/judge/provider-ledger.ts';
import { beginRun, type FaultRig, heal, openFaultRig } from '../provider-faults/rig.ts';

/** The fault rig, with what it knows about the current run's refunds. */
export type RefundRig = FaultRig & {
  refunds: {
    sales: Refundable[];
    /** Keys of refunds that somebody made at the provider. */
    byHand: Set<string>;
    /** Charges whose sale or refund somebody changed at the provider without undoing it here. */
    touched: Set<string>;
    /** What the comparison must report about these sales, and nothing else. */
    findings: Difference['kind'][];
    /** The provider's lists or answer hide a refund for longer than proving its absence takes. */
    mayBeHidden: boolean;
  };
};

const noRefunds = (): RefundRig['refunds'] => ({
  sales: [],
  byHand: new Set(),
  touched: new Set(),
  findings: [],
  mayBeHidden: false,
});

export async function openRefundRig(databaseUrl: string): Promise<RefundRig> {
  return Object.assign(await openFaultRig(databaseUrl), { refunds: noRefunds() });
}

/** Resets what earlier runs left, so that it can't influence this one. */
export async function beginRefundRun(rig: RefundRig): Promise<void> {
  const { portal, emulator } = rig;
  await beginRun(rig);
  await emulator.switch({
    releaseRefused: 'settled',
    voidSettledCode: 117,
    showsSubmitted: false,
    echoesRefundClerk: false,
    foldsRefunds: false,
    batchCloseSeconds: 0,
  });
  await portal.deps.db.query.execute(sql`DELETE FROM refund_coverage`);
  rig.refunds = noRefunds();
  await withdrawLeft(rig);
}

/** Withdraws what earlier runs left: the provider has forgotten their sales. */
async function withdrawLeft({ portal: { deps } }: RefundRig): Promise<void> {
  const { rows } = await deps.db.query.execute<{ refundId: string; intentId: string }>(sql`
    SELECT r.id AS "refundId", q.intent_id AS "intentId" FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.state IN ('requested', 'waiting')`);
  for (const { refundId, intentId } of rows)
    await decideRefund(deps, { intentId, decision: { event: 'withdraw', refundId } });
}

const ENDS = ['made', 'refused', 'not_made', 'withdrawn'];

/** Judges books, both ledgers, answers, that each refund has ended or is a person's, and the nightly comparison. */
export async function judgeRefundRun(rig: RefundRig): Promise<string[]> {
  await heal(rig);
  const { portal, emulator, run, refunds } = rig;
  const { deps } = portal;
  const { differences } = await compareBooks(deps);
  const orders = new Set(refunds.sales.map(({ orderId }) => orderId));
  const found = differences.flatMap(({ kind, orderId }) => (orders.has(orderId) ? [kind] : []));
  const { byHand, touched, findings, mayBeHidden } = refunds;
  const wrong = await compareLedgers(deps, emulator, {
    except: new Set([...run.before, ...touched]),
    refunds: { byHand, mayBeHidden },
  });
  const { rows } = await deps.db.query.execute<{ id: string; state: string; isSeen: boolean }>(sql`
    SELECT id, state, review_since IS NOT NULL AS "isSeen" FROM refund
     WHERE charge_id = ANY(${sql.param(refunds.sales.map(({ chargeId }) => chargeId))}::uuid[])`);
  for (const { id, state, isSeen } of rows) {
    const isLeft = state === 'held' && isSeen;
    if (!ENDS.includes(state) && !isLeft) wrong.push(`refund ${id} (${state}) has not ended`);
  }
  for (const kind of findings) if (!found.includes(kind)) wrong.push(`the comparison does not name ${kind}`);
  for (const kind of found) if (!findings.includes(kind)) wrong.push(`the comparison names ${kind}`);
  const ledger = await emulator.ledger();
  for (const orderId of orders) {
    const own = ledger.filter((row) => row.orderid === orderId);
    const back = own
      .filter(isRefunded)
      .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    const [sale] = own.filter((row) => !['C', 'Z'].includes(row.trantype_code));
    if (sale && back > Math.round(Number(sale.amount) * 100))
      wrong.push(`${orderId} gave back more than it took`);
  }
  return wrong;
}
