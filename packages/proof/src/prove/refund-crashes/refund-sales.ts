import { sql } from 'drizzle-orm';
import { sweep, sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { LedgerRow } from '../../../../../apps/api/test/emulator.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { makeRefundable, type Refundable } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { isRefunded, isVoided } from '../../simulation/judge/provider-ledger.ts';
import type { Attack } from '../attack.ts';
import { mustBe as mustHear, newPayment, press } from '../crash-points/pay.ts';
import { beginRun, type CrashRig } from '../crash-points/rig.ts';
import { must } from '../provider-faults/payments.ts';
import type { Kind, RefundPoint } from './refund-cases.ts';

export type CrashAttack = Attack<CrashRig>;

const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };

export const partsOf = (kind: Kind) => (kind === 'void' ? WHOLE : PART);

/** Pays and captures a guest's invoice of 108.25, or a customer's on one account or three. */
export async function pay(rig: CrashRig, kind: Kind): Promise<Refundable[]> {
  const sales = await payUncaptured(rig, kind);
  await sweep(rig.portal.deps);
  if (kind !== 'void') await closeBatches(rig);
  return sales;
}

/** The same, without the capture. */
export async function payUncaptured(rig: CrashRig, kind: Kind): Promise<Refundable[]> {
  const { query } = rig.portal.deps.db;
  await beginRun(rig);
  await query.execute(sql`DELETE FROM refund_coverage`);
  await query.execute(
    sql`UPDATE franchise SET refund_limit_cents = 100000, refund_day_limit_cents = 100000000`,
  );
  return kind === 'void' ? [await payByGuest(rig)] : payByCustomer(rig, kind);
}

async function payByGuest({ portal, emulator, customer }: CrashRig): Promise<Refundable> {
  const { query } = portal.deps.db;
  const invoice = await makeInvoice(query);
  const answer = await payAsGuest(portal, await guestSale(emulator, invoice, { email: customer.email }));
  must(answer.statusCode === 200, `paying was answered ${answer.body}`);
  return makeRefundable(query, invoice);
}

async function payByCustomer(rig: CrashRig, kind: 'part' | 'three'): Promise<Refundable[]> {
  const payment = await newPayment(rig, kind === 'three' ? 'three' : 'portal');
  mustHear(await press(rig, payment), 'paid');
  return Promise.all(payment.invoices.map((invoice) => makeRefundable(rig.portal.deps.db.query, invoice)));
}

export async function closeBatches({ emulator }: CrashRig): Promise<void> {
  for (const { name } of await emulator.merchants())
    await emulator.callAs(name, 'POST', '/batches/current/close', {});
}

export async function countBack({ emulator }: CrashRig, sales: Refundable[]): Promise<number> {
  const orders = new Set(sales.map(({ orderId }) => orderId));
  return (await emulator.ledger()).filter((row) => orders.has(row.orderid) && isRefunded(row)).length;
}

/** The states of a sale's refunds, the oldest first. */
export async function statesOf({ portal }: CrashRig, { chargeId }: Refundable): Promise<string[]> {
  const { rows } = await portal.deps.db.query.execute<{ state: string }>(sql`
    SELECT r.state FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.charge_id = ${chargeId} ORDER BY q.created_at`);
  return rows.map(({ state }) => state);
}

/** Each of these sales has refunds in exactly these states, the oldest first. */
export async function mustBe(rig: CrashRig, sales: Refundable[], ...expected: string[]): Promise<void> {
  for (const sale of sales) {
    const states = await statesOf(rig, sale);
    must(states.join() === expected.join(), `a sale's refunds are ${states}, not ${expected}`);
  }
}

/** The provider's first row of a sale, of this type if one is given. */
export async function rowOf(
  { emulator }: CrashRig,
  sale: Refundable | undefined,
  type?: string,
): Promise<LedgerRow> {
  const rows = (await emulator.ledger()).filter(({ orderid }) => orderid === sale?.orderId);
  const row = rows.find((each) => type === undefined || each.trantype_code === type);
  if (!row) throw new Error(`the provider has no such row of ${sale?.orderId}`);
  return row;
}

/** Each row is finished, and made exactly once, and only if the provider shows it. */
export async function mustEnd(rig: CrashRig, sales: Refundable[], kind: Kind): Promise<void> {
  const { portal, emulator } = rig;
  await sweepUntilDone(portal.deps);
  await sweepUntilDone(portal.deps);
  const ledger = await emulator.ledger();
  for (const sale of sales) {
    const { orderId } = sale;
    const [state = 'missing', ...more] = await statesOf(rig, sale);
    must(more.length === 0, `${orderId} has ${more.length + 1} refunds`);
    must(['made', 'not_made'].includes(state), `the refund of ${orderId} is ${state}`);
    const own = ledger.filter((row) => row.orderid === orderId);
    const times = own.filter((row) => isRefunded(row) || isVoided(row)).length;
    must(times === (state === 'made' ? 1 : 0), `it is ${state}, and the provider shows it ${times} times`);
    // Only an unsent refund may end as not made; a void is sent again.
    if (kind === 'void') must(state === 'made', `the void is ${state}`);
  }
}

export const idOf = (point: RefundPoint) => point.slice(0, 3);
export const wordsOf = (point: RefundPoint) => point.slice(4).replaceAll('-', ' ');
