import { randomUUID } from 'node:crypto';
import type { RefundPage } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { decideRefund } from '../../../src/modules/payments/refunds/decide-refund.ts';
import { listRefundingAccounts } from '../../../src/modules/payments/refunds/sweep/refund-leases.queries.ts';
import { sweepRefunds } from '../../../src/modules/payments/refunds/sweep/sweep-refunds.ts';
import { advanceEngineClock } from '../../books/engine-clock.ts';
import { sweepCharges } from '../../books/sweep.ts';
import type { TestApp } from '../../build-test-app.ts';
import type { TestEmulator } from '../../emulator.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { makeOfficeCaller } from '../../factories/office-keys.ts';
import { type DecidedPayment, makePayment } from '../../factories/payments/decided-payments.ts';
import { guestSale, payAsGuest } from '../../factories/payments/payments.ts';
import { makeRefund, sendRefund } from '../../factories/refund-rows.ts';
import { makeRefundable, type Refundable, requestRefund } from '../../factories/requested-refunds.ts';
import { callConfirmed, callConsole, makeStaff, signInStaff, stepUpFor } from '../../office/office-people.ts';
import type { Step } from '../recorder.ts';

const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };
const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const HOLD_SECONDS = 40 * 24 * 60 * 60;

/** Refunds of every kind: voided, refunded, lost and then found or ruled out, held, approved, dropped. */
export async function runRefunds(
  portal: TestApp,
  step: Step,
  { emulator }: { emulator: TestEmulator },
): Promise<void> {
  const { deps } = portal;
  const paid = async () => {
    const sale = await accepted(portal, emulator);
    await sweepCharges(deps);
    return sale;
  };
  const sweepAt = async (seconds: number) => {
    await advanceEngineClock(deps, seconds);
    for (const accountId of await listRefundingAccounts(deps.db.query))
      await sweepRefunds(deps, { accountId });
  };
  const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');

  const voided = await paid();
  await step('ask for a refund', () => requestRefund(deps, voided, WHOLE));
  await step('void a charge', () => sweepAt(1));

  const lostVoid = await paid();
  await requestRefund(deps, lostVoid, WHOLE);
  await emulator.script({ fault: 'reset', when: 'before', command: 'void' });
  await sweepAt(1);
  await step('void a charge again', () => sweepAt(10));

  const refunded = await paid();
  const refundId = await requestRefund(deps, refunded, { ...PART, needsApproval: true });
  await step('approve a refund', () =>
    decideRefund(deps, {
      intentId: refunded.paymentId,
      decision: { event: 'approve', refundId, actor: { id: randomUUID(), name: 'Ben' } },
    }),
  );
  await step('a refund that waits for the settlement', () => sweepAt(1));
  await closeBatch();
  await step('refund a part', () => sweepAt(1801));

  for (const when of ['before', 'after'] as const) {
    await requestRefund(deps, await paidOut(paid, closeBatch), PART);
    await emulator.script({ fault: 'reset', when, command: 'refund' });
    await sweepAt(1);
    await step(`look for a refund that was lost ${when} its effect`, () => sweepAt(10));
    await sweepAt(1000);
    await step(`a refund that was lost ${when} its effect ends`, () => sweepAt(70));
  }

  const uncollected = await accepted(portal, emulator);
  await requestRefund(deps, uncollected, PART);
  await emulator.advanceClock(HOLD_SECONDS);
  await sweepCharges(deps);
  await advanceEngineClock(deps, 70);
  await step('a refund whose charge is not collected', () => sweepCharges(deps));
}

async function accepted(portal: TestApp, emulator: TestEmulator): Promise<Refundable> {
  const invoice = await makeInvoice(portal.deps.db.query);
  await payAsGuest(portal, await guestSale(emulator, invoice, { email: 'payer@example.com' }));
  return makeRefundable(portal.deps.db.query, invoice);
}

async function paidOut(
  paid: () => Promise<Refundable>,
  closeBatch: () => Promise<unknown>,
): Promise<Refundable> {
  const sale = await paid();
  await closeBatch();
  return sale;
}

/** The console's calls about refunds, and what people do with them. */
export async function useConsoleRefunds(
  portal: TestApp,
  { step, consoleStep }: { step: Step; consoleStep: Step },
): Promise<void> {
  const { deps } = portal;
  const invoice = await makeInvoice(deps.db.query);
  const payment = await makePayment(deps, { invoices: [invoice], payerEmail: 'a@example.com' });
  const { franchiseId, workOrderNumber } = invoice;
  const office = await makeOfficeCaller(portal, { franchiseId, rights: ['view', 'refund'] });
  const all = await makeOfficeCaller(portal, { rights: ['view', 'refund'] });
  const body = {
    reason: 'complaint',
    lines: [{ franchiseId, workOrderNumber, amount: 10, effect: 'due-again' }],
  };
  const headers = () => ({ 'idempotency-key': randomUUID() });
  const ask = () => office('POST', `/payments/${payment.paymentId}/refunds`, { body, headers: headers() });
  let refundId = '';
  await step('ask for a refund in the console', async () => {
    const answer = await ask();
    refundId = answer.json<{ refunds: { refundId: string }[] }>().refunds[0]?.refundId ?? '';
  });
  await step('ask for what is under way', async () => {
    const more = { ...body, lines: [{ franchiseId, workOrderNumber, amount: 100, effect: 'due-again' }] };
    await office('POST', `/payments/${payment.paymentId}/refunds`, { body: more, headers: headers() });
  });
  for (const [who, caller] of [
    ['an office', office],
    ['all offices', all],
  ] as const) {
    for (const filter of [
      '',
      'order=oldest',
      'needs=person',
      'needs=approval',
      'state=held',
      `search=${workOrderNumber}`,
      'actor=robin',
    ])
      await consoleStep(`payments of ${who} that go back, ${filter.replace(/\d+/g, 'n')}`, () =>
        caller('GET', `/refunds?${filter}`),
      );
  }
  await consoleStep('the page of a refund', () => office('GET', `/refunds/${refundId}`));
  await step('withdraw a refund', () =>
    office('POST', `/refunds/${refundId}/withdraw`, { body: { note: 'Not needed.' } }),
  );
  await step('a person refunds', () => useAsPerson(portal, { franchiseId, payment }));
}

/** What only people may do: exceed the limits, approve, decide, dispute. */
async function useAsPerson(
  portal: TestApp,
  { franchiseId, payment }: { franchiseId: number; payment: DecidedPayment },
): Promise<void> {
  const { deps } = portal;
  const person = await makeStaff(portal, { role: 'finance' });
  const who = { person, cookie: await signInStaff(portal, person) };
  const confirmed = (path: string, body: object, headers: Record<string, string> = {}) =>
    callConfirmed(portal, who, 'POST', path, body, headers);
  const hold = (refundId: string) =>
    decideRefund(deps, {
      intentId: payment.paymentId,
      decision: { event: 'hold', refundId, heldFor: 'restored' },
    });
  await deps.db.query.execute(sql`UPDATE franchise SET refund_limit_cents = 0 WHERE id = ${franchiseId}`);
  const [{ workOrderNumber } = { workOrderNumber: 0 }] = payment.invoices;
  const body = {
    reason: 'complaint',
    lines: [{ franchiseId, workOrderNumber, amount: 20, effect: 'due-again' }],
  };
  const path = `/payments/${payment.paymentId}/refunds`;
  const factor = await stepUpFor(portal, who, { method: 'POST', path, body });
  await callConsole(portal, 'POST', path, {
    cookie: who.cookie,
    headers: { ...factor, 'idempotency-key': randomUUID() },
    body,
  });
  const toApprove = await makeRefund(deps, payment, { invoiceCents: 1_00, needsApproval: true });
  await confirmed(`/refunds/${toApprove.refundId}/approve`, {});
  await hold(toApprove.refundId);
  const page = await callConsole(portal, 'GET', `/refunds/${toApprove.refundId}`, { cookie: who.cookie });
  const keepAsking = { decision: 'keep-asking', note: 'Looked at.' };
  await confirmed(`/refunds/${toApprove.refundId}/decide`, keepAsking, {
    'if-match': `"${page.json<RefundPage>().version}"`,
  });
  const refuse = async () => {
    const { refundId } = await makeRefund(deps, payment, { invoiceCents: 1_00 });
    await sendRefund(deps, refundId);
    await deps.db.query.execute(sql`UPDATE refund SET state = 'refused' WHERE id = ${refundId}`);
    return refundId;
  };
  await callConsole(portal, 'POST', `/refunds/${await refuse()}/send-again`, {
    cookie: who.cookie,
    headers: { 'idempotency-key': randomUUID() },
    body: {},
  });
  await callConsole(portal, 'POST', `/refunds/${await refuse()}/withdraw`, {
    cookie: who.cookie,
    body: { note: 'Paid otherwise.' },
  });
  await callConsole(portal, 'POST', '/disputes', {
    cookie: who.cookie,
    body: { chargeId: payment.chargeId, amount: 1, openedOn: '2026-11-01' },
  });
}
