import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import type { UnpaidInvoice } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { consoleHeaders, makeStaff, signInStaff } from '../../../../../apps/api/test/office/office-people.ts';
import type { Round } from '../attack.ts';
import { alignClocks } from '../races/align-clocks.ts';
import { post } from './press-over-network.ts';
import type { InstancesRig } from './rig.ts';

/** A clerk at the console, and what she has asked for. */
export type RefundDesk = { cookie: string; asked: AskedRefund[] };

/** What she asked for under one key, and each answer that she heard. */
export type AskedRefund = { key: string; heard: HeardRefund[] };
type HeardRefund = {
  status: number;
  retryAfter?: string | undefined;
  /** Ids and amounts, if she was told that it is requested. */
  refunds?: string[];
};

const BETWEEN_TRIES_MILLISECONDS = 100;
const PART_DOLLARS = 50;
/** How many of the requests are for a part, and how many are followed by the end of a batch, in percent. */
const PARTS = 50;
const BATCHES = 25;

/** A clerk of all franchises who may give back whatever was paid. */
export async function openRefundDesk(rig: InstancesRig): Promise<RefundDesk> {
  const [{ deps }] = rig.instances;
  const ids = sql.param(rig.franchises.map(({ franchiseId }) => franchiseId));
  await deps.db.query.execute(sql`
    UPDATE franchise SET refund_limit_cents = 100000, refund_day_limit_cents = 1000000000
     WHERE id = ANY(${ids}::integer[])`);
  await alignClocks(rig);
  return { cookie: await signInClerk(rig), asked: [] };
}

/** The app's code of the moment is the host's. */
export async function signInClerk({ instances, franchises }: InstancesRig): Promise<string> {
  const portal = { ...instances[0], now: new Date() };
  const franchiseIds = franchises.map(({ franchiseId }) => franchiseId);
  return signInStaff(portal, await makeStaff(portal, { role: 'clerk', franchiseIds }));
}

/** Gives back what was just paid, or a part of each invoice: asks under one key until the answer is final. */
export async function giveBack(
  rig: InstancesRig,
  { cookie, asked }: RefundDesk,
  { invoices, random }: { invoices: UnpaidInvoice[]; random: Round['random'] },
): Promise<void> {
  const request: AskedRefund = { key: randomUUID(), heard: [] };
  asked.push(request);
  const path = `/api/office/payments/${await paymentOf(rig, invoices)}/refunds`;
  const headers = consoleHeaders({ cookie, headers: { 'idempotency-key': request.key } });
  const body = bodyOf(invoices, { isPart: random.percent(PARTS) });
  for (;;) {
    const answer = await post(`${rig.url}${path}`, { body, headers });
    request.heard.push(hear(answer));
    if (answer?.status === 202) break;
    if (answer !== null && answer.status !== 503)
      throw new Error(`a refund was answered ${JSON.stringify(answer)}`);
    await wait(BETWEEN_TRIES_MILLISECONDS);
  }
  if (random.percent(BATCHES)) await closeBatches(rig);
}

/** From now on the provider refunds what it has captured so far, instead of voiding it. */
export async function closeBatches({ emulator, franchises }: InstancesRig): Promise<void> {
  for (const { merchant } of franchises)
    await emulator.callAs(merchant, 'POST', '/batches/current/close', {});
}

async function paymentOf(
  { instances: [{ deps }] }: InstancesRig,
  [invoice]: UnpaidInvoice[],
): Promise<string> {
  const { rows } = await deps.db.query.execute<{ paymentId: string }>(sql`
    SELECT c.intent_id AS "paymentId" FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
     WHERE a.invoice_id = ${invoice?.invoiceId} AND c.state IN ('accepted', 'captured')`);
  const [paid] = rows;
  if (!paid) throw new Error('there is nothing to give back');
  return paid.paymentId;
}

function bodyOf(invoices: UnpaidInvoice[], { isPart }: { isPart: boolean }) {
  return {
    reason: 'complaint',
    lines: invoices.map(({ franchiseId, workOrderNumber }) => ({
      franchiseId,
      workOrderNumber,
      ...(isPart && { amount: PART_DOLLARS }),
      effect: 'due-again',
    })),
  };
}

function hear(answer: Awaited<ReturnType<typeof post>>): HeardRefund {
  if (!answer) return { status: 0 };
  const { status, retryAfter, body } = answer;
  if (status !== 202) return { status, retryAfter };
  const { refunds } = body as RefundRequestAnswer;
  return {
    status,
    refunds: refunds.map(({ refundId, amount }) => `${refundId} ${amount.toFixed(2)}`).sort(),
  };
}
