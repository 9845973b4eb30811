import { sql } from 'drizzle-orm';
import type { RefundState } from '../../../../../apps/api/src/db/schema/refunds.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
} from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { isRefunded, isVoided } from '../../simulation/judge/provider-ledger.ts';
import { type Attack, attacksOf } from '../attack.ts';
import { sweepAfterBoth } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import { heal } from '../provider-faults/rig.ts';
import { beginRefundRun, type RefundRig } from './rig.ts';

export type RefundAttack = Attack<RefundRig>;

export const attack = attacksOf<RefundRig>(beginRefundRun);

/** Part of a settled sale, all of one, and all of an unsettled one (a void). */
export const CASES = ['part', 'whole', 'void'] as const;
export type Case = (typeof CASES)[number];

/** 50.00 of 108.25, and all of it. */
export const PART = { invoiceCents: 46_19, taxCents: 3_81 };
export const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };

export const partsOf = (what: Case) => (what === 'part' ? PART : WHOLE);
export const amountOf = (what: Case) => (what === 'part' ? '50.00' : '108.25');

/** A guest's captured payment of 108.25. */
export async function paid(rig: RefundRig, { card }: { card?: string } = {}): Promise<Refundable> {
  const sale = await accepted(rig, card === undefined ? {} : { card });
  await sweep(rig.portal.deps);
  return sale;
}

/** One that no task has captured yet. */
export async function accepted(rig: RefundRig, given: { card?: string } = {}): Promise<Refundable> {
  const { portal, emulator } = rig;
  const { query } = portal.deps.db;
  const invoice = await makeInvoice(query);
  const body = await guestSale(emulator, invoice, { email: 'payer@example.com', ...given });
  const answer = await payAsGuest(portal, body);
  must(answer.statusCode === 200, `paying was answered ${answer.statusCode} ${answer.body}`);
  const sale = await makeRefundable(query, invoice);
  rig.refunds.sales.push(sale);
  return sale;
}

export const closeBatch = ({ emulator }: RefundRig) =>
  emulator.callAs('portal', 'POST', '/batches/current/close', {});

export type Begun = { sale: Refundable; refundId: string; what: Case };

/** A requested refund that waits to be sent. */
export async function begin(rig: RefundRig, what: Case, given: { card?: string } = {}): Promise<Begun> {
  const sale = await paid(rig, given);
  if (what !== 'void') await closeBatch(rig);
  const refundId = await requestRefund(rig.portal.deps, sale, partsOf(what));
  return { sale, refundId, what };
}

export const commandOf = (what: Case) => (what === 'void' ? 'void' : 'refund');

/** Scripts a fault for this sale's next call. */
export const script = (rig: RefundRig, { sale }: Pick<Begun, 'sale'>, fault: Record<string, unknown>) =>
  rig.emulator.script({ orderId: sale.orderId, ...fault });

/** Enough for any call on a busy machine, so that only the silent one times out. */
const PATIENCE_MILLISECONDS = 1_500;

/** A sweep that soon gives up on a silent provider. */
export async function sweepImpatiently(rig: RefundRig): Promise<void> {
  rig.reach({ callMilliseconds: PATIENCE_MILLISECONDS });
  await sweepAfterBoth(rig, 1);
  rig.reach();
}

/** Past a lease, the proof of absence, a void's window, a wait for settlement and a wait for keys. */
const WAITS = [10, 70, 1000, 70, 1900, 70, 3700];
const DAY_SECONDS = 25 * 60 * 60;

export async function recover(rig: RefundRig): Promise<void> {
  await heal(rig);
  for (const seconds of WAITS) await sweepAfterBoth(rig, seconds);
}

/** Continues until a person has to look. */
export async function recoverForADay(rig: RefundRig): Promise<void> {
  await recover(rig);
  for (const seconds of [DAY_SECONDS, 70, 3700]) await sweepAfterBoth(rig, seconds);
}

export async function stateOf({ portal }: RefundRig, refundId: string): Promise<RefundState | undefined> {
  const { rows } = await portal.deps.db.query.execute<{ state: RefundState }>(
    sql`SELECT state FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.state;
}

export async function mustBe(
  rig: RefundRig,
  refundId: string,
  ...expected: RefundState[]
): Promise<RefundState> {
  const { rows } = await rig.portal.deps.db.query.execute<{ state: RefundState; heldFor: string | null }>(
    sql`SELECT state, held_for AS "heldFor" FROM refund WHERE id = ${refundId}`,
  );
  const { state = 'requested', heldFor = null } = rows[0] ?? {};
  must(expected.includes(state), `the refund is ${state} (${heldFor}), not ${expected.join(' or ')}`);
  return state;
}

/** The provider's approved rows of a sale, each as `C 50.00`. */
export async function rowsThere({ emulator }: RefundRig, { orderId }: Refundable): Promise<string[]> {
  return (await emulator.ledger())
    .filter((row) => row.orderid === orderId && row.result_code === 'A')
    .map((row) => `${row.trantype_code} ${row.amount}`)
    .sort();
}

/** It is made exactly if the provider shows it, and once. */
export async function mustAgree(rig: RefundRig, { sale, refundId, what }: Begun): Promise<RefundState> {
  const state = await mustBe(rig, refundId, 'made', 'not_made', 'refused', 'withdrawn');
  const own = (await rig.emulator.ledger()).filter((row) => row.orderid === sale.orderId);
  const refunded = own.filter((row) => isRefunded(row) && row.amount === amountOf(what)).length;
  const voided = own.filter(isVoided).length;
  const times = refunded + voided;
  must(
    times === (state === 'made' ? 1 : 0),
    `the refund is ${state}, and the provider shows it ${times} times`,
  );
  return state;
}

/** Nothing went back, so it can be requested again, and succeeds. */
export async function mustGoAgain(rig: RefundRig, { sale, refundId, what }: Begun): Promise<void> {
  const again = await requestRefund(rig.portal.deps, sale, { ...partsOf(what), retryOf: refundId });
  await recover(rig);
  await mustBe(rig, again, 'made');
}

/** Somebody refunds at the provider what we refund too, or another amount. */
export async function refundByHand(
  rig: RefundRig,
  sale: Refundable,
  { amount = '50.00', clerk }: { amount?: string; clerk?: string } = {},
): Promise<string> {
  const key = await saleKey(rig, sale);
  const made = await rig.emulator.callAs('portal', 'POST', '/transactions', {
    command: 'refund',
    trankey: key,
    amount,
    ...(clerk !== undefined && { clerk }),
  });
  must(made.result_code === 'A', `the refund by hand was answered ${JSON.stringify(made)}`);
  rig.refunds.byHand.add(String(made.key));
  return String(made.key);
}

export async function saleKey({ emulator }: RefundRig, { orderId }: Refundable): Promise<string> {
  const row = (await emulator.ledger()).find(
    (each) => each.orderid === orderId && !['C', 'Z'].includes(each.trantype_code),
  );
  return row?.key ?? '';
}

export const byHand = (rig: RefundRig, body: object) =>
  rig.emulator.callAs('portal', 'POST', '/transactions', body);
