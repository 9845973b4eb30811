import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, type TestApp } from '../../../../test/build-test-app.ts';
import { observeSeams } from '../../../../test/crashes/crash-seams.ts';
import { type Cut, useCuttingProxy } from '../../../../test/database/cutting-proxy.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { buildApp } from '../../../app.ts';
import type { CrashPoint } from '../../../crash-points.ts';
import { openDatabase } from '../../../db/client.ts';
import { invoice } from '../../../db/schema/franchises.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();
const proxy = useCuttingProxy();

/** The same portal, connected through a proxy that cuts its database connection at a point of the payment. */
const fragile = {} as TestApp;
let cutAt: { point: CrashPoint; cut: Cut } | null = null;

beforeAll(async () => {
  const cuttable = openDatabase({ url: proxy.through(portal.deps.env.DATABASE_URL), poolSize: 5 });
  const seams = observeSeams({ db: cuttable, gateways: portal.deps.gateways }, (point) => {
    if (point !== cutAt?.point) return;
    proxy.arm(cutAt.cut);
    cutAt = null;
  });
  fragile.deps = { ...portal.deps, ...seams };
  fragile.app = await buildApp(fragile.deps);
});

beforeEach(() => {
  cutAt = null;
  proxy.close(false);
});

afterAll(async () => {
  await fragile.app.close();
  await fragile.deps.db.close();
});

const heldRows = async () => (await emulator.ledger()).length;

async function lastState() {
  return (await chargesOf(portal.deps)).at(-1)?.state;
}

/** Whether the provider holds money for a charge in progress; before that, the call may not have left. */
async function isHeldUnderWay() {
  const last = (await chargesOf(portal.deps)).at(-1);
  if (last?.state !== 'authorising') return false;
  return (await emulator.ledger()).some((row) => row.orderid === last.orderId);
}

describe('a connection that is lost during COMMIT', () => {
  test.each(['before', 'after'] as const)(
    'of the acceptance, %s it happened: the payment is made, and the payer is told',
    async (cut) => {
      const made = await makeInvoice(db());
      cutAt = { point: '09-inside-accept', cut };
      const answer = await payAsGuest(fragile, await guestSale(emulator, made));
      expect(answer.statusCode).toBe(200);
      expect(cutAt).toBeNull();
      await sweepAll();
      expect(await lastState()).toBe('captured');
      await expectBalanced();
    },
  );

  test.each(['before', 'after'] as const)(
    "of one account's approval, %s it happened: the payment goes on and is paid",
    async (cut) => {
      const user = await signInUser(portal);
      const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
      const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
      const paymentMethodId = await addCard(portal, emulator, user);
      cutAt = { point: '07-inside-authorised', cut };
      const answer = await payAsCustomer(fragile, user.token, portalSale(invoices, { paymentMethodId }));
      expect(answer.statusCode).toBe(200);
      expect(cutAt).toBeNull();
      await sweepAll();
      await expectBalanced();
    },
  );

  test.each(['before', 'after'] as const)(
    'of the claim, %s it happened: the card is not charged, and Pay again finds out',
    async (cut) => {
      const made = await makeInvoice(db());
      const key = { 'idempotency-key': `claim-lost-${cut}` };
      const before = await heldRows();
      cutAt = { point: '02-inside-claim', cut };
      const answer = await payAsGuest(fragile, await guestSale(emulator, made), key);
      expect(answer.statusCode).toBe(503);
      expect(answer.json().detail).toBe(
        'We could not confirm this payment. Press Pay again to check; you will not be charged twice.',
      );
      expect(JSON.stringify(answer.json())).not.toContain('NotCharged');
      expect(await heldRows()).toBe(before);
      cutAt = null;
      await advanceEngineClock(portal.deps, 26);
      const again = await payAsGuest(fragile, await guestSale(emulator, made), key);
      expect(again.statusCode).toBe(cut === 'before' ? 200 : 503);
      if (cut === 'after') expect(again.json().errors[0].code).toBe('NotCharged');
      await sweepAll();
      await expectBalanced();
    },
  );
});

test('a database lost after the authorization: the payer hears that we do not know, and is not charged', async () => {
  const made = await makeInvoice(db());
  const goOn = await emulator.hold();
  const paying = payAsGuest(fragile, await guestSale(emulator, made), { 'idempotency-key': 'gone' });
  await expect.poll(isHeldUnderWay).toBe(true);
  proxy.close(true);
  await goOn();
  const answer = await paying;
  expect(answer.statusCode).toBe(503);
  expect(answer.json().errors).toMatchObject([{ code: 'Unconfirmed' }]);
  proxy.close(false);
  await advanceEngineClock(portal.deps, 26);
  const again = await payAsGuest(fragile, await guestSale(emulator, made), { 'idempotency-key': 'gone' });
  expect(again.json().errors[0].code).toBe('NotCharged');
  await sweepAll();
  expect(await lastState()).toBe('released');
  await expectBalanced();
});

test('a database lost during a card check: she hears that we do not know, and the next press tells', async () => {
  const user = await signInUser(portal);
  const add = async () =>
    call(fragile, 'POST', '/usaepay/portal/paymentmethods', {
      token: user.token,
      headers: { 'idempotency-key': 'card-gone' },
      body: {
        paymentKey: await emulator.mintPaymentKey({}),
        maskedCard: '4000xxxxxxxx2224',
        street: 'Maple Street 12',
        postalCode: '62704',
      },
    });
  const goOn = await emulator.hold();
  const adding = add();
  await expect.poll(isHeldUnderWay).toBe(true);
  proxy.close(true);
  await goOn();
  const answer = await adding;
  expect(answer.statusCode).toBe(503);
  expect(answer.json().detail).toBe(
    'We could not confirm this card. Press Add Payment Method again to check; it will not be added twice.',
  );
  expect(answer.json().errors).toMatchObject([{ code: 'Unconfirmed' }]);
  proxy.close(false);
  await advanceEngineClock(portal.deps, 26);
  expect((await add()).json().errors[0].code).toBe('NotCharged');
  await sweepAll();
  await expectBalanced();
});

describe('an invoice that an import holds for seconds', () => {
  async function whileLocked<Result>(invoiceId: number, work: (release: () => void) => Promise<Result>) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const importing = portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM invoice WHERE id = ${invoiceId} FOR UPDATE`);
      locked();
      await held;
    });
    await isLocked;
    const result = await work(release);
    release();
    await importing;
    return result;
  }

  test('keeps a payment from beginning, in words that promise nothing', async () => {
    const made = await makeInvoice(db());
    const body = await guestSale(emulator, made);
    const answer = await whileLocked(made.invoiceId, () => payAsGuest(portal, body));
    expect(answer.statusCode).toBe(503);
    expect(answer.json().errors).toMatchObject([{ code: 'Busy' }]);
    expect(answer.headers['retry-after']).toBe('2');
    expect((await payAsGuest(portal, body)).statusCode).toBe(200);
  });

  test('is waited for by a payment that is already authorized', async () => {
    const made = await makeInvoice(db());
    const goOn = await emulator.hold();
    const paying = guestPays(made);
    await expect.poll(lastState).toBe('authorising');
    await whileLocked(made.invoiceId, async (release) => {
      await goOn();
      // Wait longer than the lock timeout, so that the acceptance has to retry.
      const start = performance.now();
      await expect.poll(() => performance.now() - start).toBeGreaterThan(5_000);
      release();
    });
    expect((await paying).statusCode).toBe(200);
    const [row] = await db().select().from(invoice).where(eq(invoice.id, made.invoiceId));
    expect(row?.balanceCents).toBe(0);
    await sweepAll();
    await expectBalanced();
  });
});
