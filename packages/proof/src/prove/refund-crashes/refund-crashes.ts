import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { advanceEngineClock, sweep, sweepUntilDone } from '../../../../../apps/api/test/books/books.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefundOfEach,
} from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { isRefunded } from '../../simulation/judge/provider-ledger.ts';
import type { Attack } from '../attack.ts';
import { beginRun, type CrashBench } from '../crash-points/bench.ts';
import { mustBe as mustHear, newPayment, press } from '../crash-points/pay.ts';
import { must } from '../provider-faults/payments.ts';
import { waitUntil } from '../races/wait-until.ts';
import {
  isPassedAfter,
  KINDS,
  type Kind,
  passesOf,
  REFUND_CASES,
  type RefundCase,
  type RefundPoint,
  SECOND_POINTS,
} from './refund-cases.ts';

type CrashAttack = Attack<CrashBench>;

const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };

/** Pays and captures a guest's invoice of 108.25, or a customer's on one account or three. */
async function pay(bench: CrashBench, kind: Kind): Promise<Refundable[]> {
  const { portal } = bench;
  await beginRun(bench);
  await portal.deps.db.query.execute(sql`DELETE FROM refund_coverage`);
  await portal.deps.db.query.execute(
    sql`UPDATE franchise SET refund_limit_cents = 100000, refund_day_limit_cents = 100000000`,
  );
  const sales = kind === 'void' ? [await payByGuest(bench)] : await payByCustomer(bench, kind);
  await sweep(portal.deps);
  if (kind !== 'void') await closeBatches(bench);
  return sales;
}

async function payByGuest({ portal, emulator, customer }: CrashBench): Promise<Refundable> {
  const { query } = portal.deps.db;
  const invoice = await makeInvoice(query);
  const answer = await payAsGuest(portal, await guestSale(emulator, invoice, { email: customer.email }));
  must(answer.statusCode === 200, `paying was answered ${answer.body}`);
  return makeRefundable(query, invoice);
}

async function payByCustomer(bench: CrashBench, kind: 'part' | 'three'): Promise<Refundable[]> {
  const payment = await newPayment(bench, kind === 'three' ? 'three' : 'portal');
  mustHear(await press(bench, payment), 'paid');
  return Promise.all(payment.invoices.map((invoice) => makeRefundable(bench.portal.deps.db.query, invoice)));
}

async function closeBatches({ emulator }: CrashBench): Promise<void> {
  for (const { name } of await emulator.merchants())
    await emulator.callAs(name, 'POST', '/batches/current/close', {});
}

const partsOf = (kind: Kind) => (kind === 'void' ? WHOLE : PART);

/** Refunds in a process that kills itself at its point. */
async function dieAt(
  bench: CrashBench,
  { point, left, lost }: RefundCase,
  { kind, pass }: { kind: Kind; pass: number },
): Promise<Refundable[]> {
  const { portal, emulator } = bench;
  const sales = await pay(bench, kind);
  const [sale] = sales;
  if (!sale) throw new Error('nothing was paid');
  await requestRefundOfEach(portal.deps, sales, partsOf(kind));
  if (lost) {
    await emulator.script({ fault: 'reset', when: lost, command: 'refund', times: sales.length });
    await sweep(portal.deps);
    if (point === 'R25-inside-end') {
      await advanceEngineClock(portal.deps, 1000);
      await sweep(portal.deps);
    }
    await advanceEngineClock(portal.deps, point === 'R23-absence-noted' ? 1000 : 70);
  }
  if (left === 'refused') {
    const answer = { result_code: 'E', error: 'Refused', error_code: 117, errorcode: 117, key: null };
    await emulator.script({ fault: 'wrong', when: 'before', command: 'void', answer });
  }
  const crashing = await bench.processes.crashAt(point, pass);
  await crashing.killed();
  // Bytes already sent still arrive.
  if (point === 'R12-refund-written')
    await waitUntil(async () => (await countBack(bench, sales)) >= pass, 'the refund has arrived');
  if (left === 'refused') await closeBatches(bench);
  return sales;
}

async function countBack({ emulator }: CrashBench, sales: Refundable[]): Promise<number> {
  const orders = new Set(sales.map(({ orderId }) => orderId));
  return (await emulator.ledger()).filter((row) => orders.has(row.orderid) && isRefunded(row)).length;
}

/** Each row is finished, and made exactly once, and only if the provider shows it. */
async function mustEnd(bench: CrashBench, sales: Refundable[], kind: Kind): Promise<void> {
  const { portal, emulator } = bench;
  await sweepUntilDone(portal.deps);
  await sweepUntilDone(portal.deps);
  const ledger = await emulator.ledger();
  for (const { chargeId, orderId } of sales) {
    const { rows } = await portal.deps.db.query.execute<{ state: string }>(
      sql`SELECT state FROM refund WHERE charge_id = ${chargeId}`,
    );
    must(rows.length === 1, `${orderId} has ${rows.length} refunds`);
    const state = rows[0]?.state ?? '';
    must(['made', 'not_made'].includes(state), `the refund of ${orderId} is ${state}`);
    const own = ledger.filter((row) => row.orderid === orderId);
    const times = own.filter((row) => isRefunded(row) || row.trantype_code === 'V').length;
    must(times === (state === 'made' ? 1 : 0), `it is ${state}, and the provider shows it ${times} times`);
    // Only an unsent refund may end as not made; a void is sent again.
    if (kind === 'void') must(state === 'made', `the void is ${state}`);
  }
}

const idOf = (point: RefundPoint) => point.slice(0, 3);
const wordsOf = (point: RefundPoint) => point.slice(4).replaceAll('-', ' ');

/** Crashes at every point that a refund passes in the sweep. */
export const refundCrashes: CrashAttack[] = REFUND_CASES.flatMap((each) =>
  each.kinds.map((kind) => ({
    id: `C${idOf(each.point)} ${kind}`,
    name: `a refund dies ${wordsOf(each.point)}, and goes back once or not at all`,
    runs: passesOf(each, kind),
    async run(bench, { run }) {
      const sales = await dieAt(bench, each, { kind, pass: 1 + (run % passesOf(each, kind)) });
      await mustEnd(bench, sales, kind);
    },
  })),
);

/** The same crashes, followed by a second one during the recovery. */
export const doubleRefundCrashes: CrashAttack[] = REFUND_CASES.flatMap((each) =>
  each.kinds.flatMap((kind) =>
    SECOND_POINTS.flatMap((second) => {
      if (!isPassedAfter(second, each, kind)) return [];
      return {
        id: `C${idOf(each.point)} ${kind} + ${idOf(second)}`,
        name: `a refund dies ${wordsOf(each.point)}, its recovery ${wordsOf(second)}, and it goes back once or not at all`,
        runs: kind === 'three' ? 2 : 1,
        async run(bench) {
          // Of three rows the first dies, so that the recovery meets the others too.
          const sales = await dieAt(bench, each, { kind, pass: 1 });
          await advanceEngineClock(bench.portal.deps, 61);
          const hasDied = await bench.processes.recoverUntil(second);
          // Accounts are swept in parallel, so the other two rows may have been sent by then.
          must(hasDied || kind === 'three', `the recovery did not come to ${second}`);
          if (hasDied && second === 'R12-refund-written')
            await waitUntil(async () => (await countBack(bench, sales)) >= 1, 'the refund has arrived');
          await mustEnd(bench, sales, kind);
        },
      } satisfies CrashAttack;
    }),
  ),
);

const ASKING = [
  { point: 'R01-inside-request', isThere: false },
  { point: 'R02-requested', isThere: true },
] as const;

/** Somebody requests under a key, gets no answer, and requests again. */
export const requestCrashes: CrashAttack[] = ASKING.flatMap(({ point, isThere }) =>
  KINDS.map((kind) => ({
    id: `C${idOf(point)} ${kind}`,
    name: `a request dies ${wordsOf(point)}, and the same key asks once`,
    runs: 2,
    async run(bench) {
      const { portal } = bench;
      const sales = await pay(bench, kind);
      const [sale] = sales;
      const { rows } = await portal.deps.db.query.execute<{
        franchiseId: number;
        workOrderNumber: number;
      }>(sql`
        SELECT franchise_id AS "franchiseId", work_order_number AS "workOrderNumber" FROM invoice
         WHERE id = ANY(${sql.param(sales.map(({ invoiceId }) => invoiceId))}::bigint[])`);
      const amount = kind === 'void' ? {} : { amount: 50 };
      const body = {
        reason: 'complaint',
        lines: rows.map((line) => ({ ...line, ...amount, effect: 'due-again' })),
      };
      const path = `/office/payments/${sale?.paymentId}/refunds`;
      const key = randomUUID();
      const crashing = await bench.processes.crashAt(point);
      await crashing.post(path, body, { token: TEST_SECRETS.officeApiKey, key });
      await crashing.killed();
      const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': key };
      const again = await portal.app.inject({ method: 'POST', url: `/api${path}`, headers, payload: body });
      must(again.statusCode === 202, `the repeat was answered ${again.statusCode} ${again.body}`);
      must((again.headers['idempotency-replayed'] === 'true') === isThere, 'it was not asked for once');
      await mustEnd(bench, sales, kind);
    },
  })),
);
