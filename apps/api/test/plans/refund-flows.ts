import { randomUUID } from 'node:crypto';
import { decideRefund } from '../../src/modules/payments/refunds/decide-refund.ts';
import { listRefundingAccounts } from '../../src/modules/payments/refunds/refund-leases.queries.ts';
import { sweepRefunds } from '../../src/modules/payments/refunds/sweep-refunds.ts';
import { sweepCharges } from '../../src/modules/payments/sweep/sweep-charges.ts';
import { advanceEngineClock } from '../books.ts';
import type { TestApp } from '../build-test-app.ts';
import type { TestEmulator } from '../emulator.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { guestSale, payAsGuest } from '../factories/payments.ts';
import { makeRefundable, type Refundable, requestRefund } from '../factories/requested-refunds.ts';
import type { Step } from './recorder.ts';

const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };
const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const HOLD_SECONDS = 40 * 24 * 60 * 60;

/** Refunds of each way: voided, refunded, lost and found or ruled out, held, approved, dropped. */
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
  const settle = () => emulator.callAs('portal', 'POST', '/batches/current/close');

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
  await settle();
  await step('refund a part', () => sweepAt(1801));

  for (const when of ['before', 'after'] as const) {
    await requestRefund(deps, await settled(paid, settle), PART);
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

async function settled(paid: () => Promise<Refundable>, settle: () => Promise<unknown>): Promise<Refundable> {
  const sale = await paid();
  await settle();
  return sale;
}
