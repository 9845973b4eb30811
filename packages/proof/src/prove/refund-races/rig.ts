import { sql } from 'drizzle-orm';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { chargesOf, compareLedgers } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { makeRefundable, type Refundable } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { forgetProvider } from '../../../../../apps/api/test/forget-provider.ts';
import { isRefunded, isVoided } from '../../simulation/judge/provider-ledger.ts';
import { type Clerk, makeClerks } from '../../simulation/office/clerks.ts';
import { must } from '../provider-faults/payments.ts';
import { openRaceRig, type RaceRig } from '../races/rig.ts';

/** Instances that share only a database, and headquarters staff who refund on them. */
export type RefundRaceRig = RaceRig & {
  clerks: Clerk[];
  run: { sales: Refundable[]; before: Set<string>; figures: Record<string, number> };
};

const CLERKS = 20;

export async function openRefundRaceRig(databaseUrl: string): Promise<RefundRaceRig> {
  const rig = await openRaceRig(databaseUrl);
  const drawn = Array.from({ length: CLERKS }, () => ({ role: 'admin' as const, places: [] }));
  const clerks = await makeClerks(rig.instances[0].deps, { drawn, franchiseIds: [] });
  return Object.assign(rig, { clerks, run: { sales: [], before: new Set<string>(), figures: {} } });
}

/** Resets what earlier rounds left, so that it can't influence this one. */
export async function beginRound({ instances, emulator, run, ...rig }: RefundRaceRig): Promise<void> {
  const [{ deps }] = instances;
  await emulator.clearFaults();
  await emulator.reset();
  for (const instance of instances) forgetProvider(instance.deps);
  for (const table of ['engine_clock', 'provider_budget', 'limit_counter', 'refund_coverage'])
    await deps.db.query.execute(sql`DELETE FROM ${sql.identifier(table)}`);
  await deps.db.query.execute(sql`UPDATE account_look SET confirm_at = NULL`);
  await rig.told.splice(0);
  run.sales = [];
  run.figures = {};
  run.before = new Set((await chargesOf(deps)).map(({ id }) => id));
  const { rows } = await deps.db.query.execute<{ refundId: string; intentId: string }>(sql`
    SELECT r.id AS "refundId", q.intent_id AS "intentId" FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.state IN ('requested', 'waiting')`);
  for (const { refundId, intentId } of rows)
    await decideRefund(deps, { intentId, decision: { event: 'withdraw', refundId } });
}

export type Sale = Refundable & { franchiseId: number; workOrderNumber: number };

/** A guest's payment of 108.25. */
export async function payOnce(
  { instances: [portal], emulator, run }: RefundRaceRig,
  { limitCents = 100_000 }: { limitCents?: number } = {},
): Promise<Sale> {
  const { query } = portal.deps.db;
  const invoice = await makeInvoice(query);
  const answer = await payAsGuest(portal, await guestSale(emulator, invoice, { email: 'payer@example.com' }));
  must(answer.statusCode === 200, `paying was answered ${answer.body}`);
  const { franchiseId, workOrderNumber } = invoice;
  await query.execute(sql`
    UPDATE franchise SET refund_limit_cents = ${limitCents}, refund_day_limit_cents = 100000000 WHERE id = ${franchiseId}`);
  const sale = { ...(await makeRefundable(query, invoice)), franchiseId, workOrderNumber };
  run.sales.push(sale);
  return sale;
}

/** The office raises the sale's invoice, somebody pays the rest of 108.25, and the office lowers it again. */
export async function payRest(
  { instances: [portal], emulator, run }: RefundRaceRig,
  first: Sale,
): Promise<Sale> {
  const { query } = portal.deps.db;
  const write = (amount: number, tax: number) =>
    query.execute(sql`
      UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${first.invoiceId}`);
  await write(216_50, 16_50);
  const answer = await payAsGuest(portal, await guestSale(emulator, first, { email: 'payer@example.com' }));
  must(answer.statusCode === 200, `paying was answered ${answer.body}`);
  await sweepUntilDone(portal.deps);
  await write(108_25, 8_25);
  const { rows } = await query.execute<Refundable>(sql`
    SELECT c.intent_id AS "paymentId", c.id AS "chargeId", c.order_id AS "orderId", a.invoice_id AS "invoiceId"
      FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
     WHERE a.invoice_id = ${first.invoiceId} AND c.id <> ${first.chargeId}`);
  const [rest] = rows;
  must(rest !== undefined, 'the rest is not paid');
  const { franchiseId, workOrderNumber } = first;
  const sale = { ...(rest as Refundable), franchiseId, workOrderNumber };
  run.sales.push(sale);
  return sale;
}

export const closeBatch = ({ emulator }: Pick<RefundRaceRig, 'emulator'>) =>
  emulator.callAs('portal', 'POST', '/batches/current/close', {});

const ENDS = ['made', 'refused', 'not_made', 'withdrawn', 'held', 'requested'];

/** One instance sweeps what is left; books and ledgers must agree, no more went back than was paid, nothing threw. */
export async function judgeRound(rig: RefundRaceRig): Promise<string[]> {
  const { instances, emulator, run, errors } = rig;
  const [{ deps }] = instances;
  await emulator.clearFaults();
  await sweepUntilDone(deps);
  await closeBatch(rig);
  await sweepUntilDone(deps);
  const wrong = await compareLedgers(deps, emulator, { except: run.before });
  const ids = sql.param(run.sales.map(({ chargeId }) => chargeId));
  const { rows } = await deps.db.query.execute<{ id: string; state: string }>(
    sql`SELECT id, state FROM refund WHERE charge_id = ANY(${ids}::uuid[])`,
  );
  for (const { id, state } of rows) if (!ENDS.includes(state)) wrong.push(`refund ${id} is ${state}`);
  const ledger = await emulator.ledger();
  for (const { orderId } of run.sales) {
    const own = ledger.filter((row) => row.orderid === orderId);
    const back = own.filter(isRefunded).reduce((sum, { amount }) => sum + Number(amount), 0);
    const wasVoided = own.some(isVoided);
    if (back > 108.25 || (wasVoided && back > 0))
      wrong.push(`${orderId} gave back ${back}, voided: ${wasVoided}`);
  }
  return [...wrong, ...errors.take()];
}
