import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  advanceEngineClock,
  type ChargeRow,
  chargesOf,
  expectBooksBalanced,
  sweepUntilSettled,
} from '../../../test/books.ts';
import { TEST_SECRETS } from '../../../test/build-test-app.ts';
import { startCrashingPortal } from '../../../test/crash-portal.ts';
import { useEmulator } from '../../../test/emulator.ts';
import {
  addCard,
  makeBasket,
  makeFranchises,
  payBasketAs,
  portalSale,
} from '../../../test/factories/baskets.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../test/factories/payments.ts';
import { signInUser } from '../../../test/factories/users.ts';
import { useMailServer } from '../../../test/mail-server.ts';
import { CRASH_POINTS, type CrashPoint } from '../../crash-points.ts';
import { invoice } from '../../db/schema/franchises.ts';
import { outgoingMail } from '../../db/schema/operations.ts';
import { paymentMethod } from '../../db/schema/payments.ts';
import { deliverMail } from '../../mail/deliver-mail.ts';
import { compareBooks } from './compare-books.ts';

// Each test starts a process of its own, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const mailServer = useMailServer();
const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => ({ SMTP_URL: mailServer.url }));
const db = () => portal.deps.db.query;

beforeEach(() => emulator.clearFaults());

const tested = new Set<CrashPoint>();
const GUEST_SALE = '/usaepay/guestsale';
const PORTAL_SALE = '/usaepay/customerportalsale';

/** The process that is killed; that it died by its own hand shows that the point was reached. */
async function crashAt(point: CrashPoint, pass = 1) {
  tested.add(point);
  const process = await startCrashingPortal(portal, { point, pass });
  return { ...process, expectKilled: async () => expect(await process.died).toBe('SIGKILL') };
}

async function statesSince(earlier: ChargeRow[]): Promise<string[]> {
  const known = new Set(earlier.map((charge) => charge.id));
  return (await chargesOf(portal.deps)).filter(({ id }) => !known.has(id)).map(({ state }) => state);
}

const capturedRows = async () => (await emulator.ledger()).filter((row) => row.trantype_code === 'L').length;

async function expectRecovered(): Promise<void> {
  await sweepUntilSettled(portal.deps);
  await expectBooksBalanced(portal.deps, emulator);
}

describe('a guest pays one invoice, and the process is killed', () => {
  test.each([
    ['01-before-claim', []],
    ['02-inside-claim', []],
    ['03-after-claim', ['absent']],
    ['04-socket-open', ['absent']],
    ['05-authorise-written', ['released']],
    ['06-authorise-answered', ['released']],
    ['09-inside-accept', ['released']],
  ] as const)('%s: nobody has paid, and the payer can', async (point, states) => {
    const made = await makeInvoice(db());
    const earlier = await chargesOf(portal.deps);
    const before = await capturedRows();
    const crashing = await crashAt(point);
    const email = `crash-${point}@example.com`;
    const body = await guestSale(emulator, made, { email });
    expect(await crashing.post(GUEST_SALE, body, { key: point })).toBeNull();
    await crashing.expectKilled();
    await expectRecovered();
    expect(await statesSince(earlier)).toEqual(states);
    expect(await db().select().from(outgoingMail).where(eq(outgoingMail.recipient, email))).toEqual([]);

    const key = states.length === 0 ? point : `${point}-again`;
    const again = await payAsGuest(portal, await guestSale(emulator, made, { email }), {
      'idempotency-key': key,
    });
    expect(again.statusCode).toBe(200);
    await expectRecovered();
    expect((await capturedRows()) - before).toBe(1);
  });

  test.each(['10-after-accept', '11-half-answered'] as const)(
    '%s: it is paid once, and whoever asks hears so',
    async (point) => {
      const made = await makeInvoice(db());
      const before = await capturedRows();
      const crashing = await crashAt(point);
      const email = `crash-${point}@example.com`;
      expect(
        await crashing.post(GUEST_SALE, await guestSale(emulator, made, { email }), { key: point }),
      ).toBeNull();
      await crashing.expectKilled();
      const headers = { 'idempotency-key': point };
      const replay = await payAsGuest(portal, await guestSale(emulator, made, { email }), headers);
      expect(replay.statusCode).toBe(200);
      expect(replay.headers['idempotency-replayed']).toBe('true');
      const other = await payAsGuest(portal, await guestSale(emulator, made));
      expect(other.json().detail).toBe(`Work order ${made.workOrderNumber} is already paid.`);
      await expectRecovered();
      expect((await capturedRows()) - before).toBe(1);
      await portal.deps.db.query.update(outgoingMail).set({ leaseUntil: null });
      await deliverMail(portal.deps);
      expect(mailServer.received.filter((mail) => mail.to?.[0]?.address === email)).toHaveLength(1);
    },
  );

  test.each(['12-before-capture', '13-after-capture', '14-capture-stored'] as const)(
    '%s: it is captured exactly once',
    async (point) => {
      const made = await makeInvoice(db());
      const before = await capturedRows();
      const crashing = await crashAt(point);
      await crashing.post(GUEST_SALE, await guestSale(emulator, made), { key: point });
      await crashing.expectKilled();
      await expectRecovered();
      expect((await capturedRows()) - before).toBe(1);
    },
  );

  test.each(['15-before-mail', '16-after-mail'] as const)(
    '%s: the receipt arrives, at most twice and as one message',
    async (point) => {
      const made = await makeInvoice(db());
      const crashing = await crashAt(point);
      const email = `crash-${point}@example.com`;
      await crashing.post(GUEST_SALE, await guestSale(emulator, made, { email }), { key: point });
      await crashing.expectKilled();
      await db().update(outgoingMail).set({ leaseUntil: null }).where(eq(outgoingMail.recipient, email));
      await deliverMail(portal.deps);
      const arrived = mailServer.received.filter((mail) => mail.to?.[0]?.address === email);
      expect(arrived.length).toBe(point === '15-before-mail' ? 1 : 2);
      expect(new Set(arrived.map((mail) => mail.messageId)).size).toBe(1);
      await expectRecovered();
    },
  );
});

describe('a basket over three merchant accounts, and the process is killed', () => {
  async function buyer() {
    const user = await signInUser(portal);
    const paymentMethodId = await addCard(portal, emulator, user);
    await sweepUntilSettled(portal.deps);
    const franchises = await makeFranchises(portal, emulator, { accounts: 3 });
    const basket = await makeBasket(portal, { user, franchises, invoices: 3 });
    return { user, franchises, basket, body: portalSale(basket, { paymentMethodId }) };
  }

  async function expectPayable({ user, body, basket }: Awaited<ReturnType<typeof buyer>>): Promise<void> {
    for (const { invoiceId } of basket) {
      const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
      expect(row?.balanceCents).toBe(row?.amountCents);
    }
    expect((await payBasketAs(portal, user.token, body)).statusCode).toBe(200);
    await expectRecovered();
  }

  test.each([
    ['07-inside-authorised', 1, ['released', 'absent', 'absent']],
    ['07-inside-authorised', 3, ['released', 'released', 'released']],
    ['08-after-authorised', 1, ['released', 'absent', 'absent']],
    ['08-after-authorised', 3, ['released', 'released', 'released']],
    ['17-some-authorised', 1, ['released', 'absent', 'absent']],
    ['17-some-authorised', 2, ['released', 'released', 'absent']],
    ['17-some-authorised', 3, ['released', 'released', 'released']],
    ['06-authorise-answered', 2, ['released', 'released', 'absent']],
    ['09-inside-accept', 1, ['released', 'released', 'released']],
  ] as const)('%s, pass %i: all holds are released', async (point, pass, states) => {
    const buying = await buyer();
    const earlier = await chargesOf(portal.deps);
    const crashing = await crashAt(point, pass);
    expect(await crashing.post(PORTAL_SALE, buying.body, { token: buying.user.token })).toBeNull();
    await crashing.expectKilled();
    await expectRecovered();
    expect((await statesSince(earlier)).sort()).toEqual([...states].sort());
    await expectPayable(buying);
  });

  test.each([1, 2])('18-declined-later, on account %i: all holds are released', async (held) => {
    const buying = await buyer();
    const earlier = await chargesOf(portal.deps);
    const crashing = await crashAt('18-declined-later');
    await emulator.script({ fault: 'partial', command: 'authonly', after: held });
    expect(await crashing.post(PORTAL_SALE, buying.body, { token: buying.user.token })).toBeNull();
    await crashing.expectKilled();
    await expectRecovered();
    const states = await statesSince(earlier);
    expect(states.filter((state) => state === 'released')).toHaveLength(held + 1);
    await expectPayable(buying);
  });

  test.each([1, 2])('21-after-release, between release %i and its mark: all are released', async (pass) => {
    const buying = await buyer();
    const earlier = await chargesOf(portal.deps);
    const crashing = await crashAt('21-after-release', pass);
    await emulator.script({ fault: 'status', status: 429, command: 'authonly', after: 2 });
    const answer = await crashing.post(PORTAL_SALE, buying.body, { token: buying.user.token });
    expect(answer?.status).toBe(503);
    await crashing.expectKilled();
    await expectRecovered();
    expect((await statesSince(earlier)).sort()).toEqual(['refused', 'released', 'released']);
  });

  test.each([1, 2, 3])('19-some-captured, after capture %i: all are captured once', async (pass) => {
    const buying = await buyer();
    const before = await capturedRows();
    const crashing = await crashAt('19-some-captured', pass);
    await crashing.post(PORTAL_SALE, buying.body, { token: buying.user.token });
    await crashing.expectKilled();
    await expectRecovered();
    expect((await capturedRows()) - before).toBe(3);
  });
});

describe('the sweep looks for a lost hold, and the process is killed', () => {
  test.each(['20-inside-look-up', '21-after-release', '22-inside-listing'] as const)(
    '%s: the next sweep ends it as this one would have',
    async (point) => {
      const made = await makeInvoice(db());
      await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
      await payAsGuest(portal, await guestSale(emulator, made));
      const lost = (await chargesOf(portal.deps)).at(-1);
      await advanceEngineClock(portal.deps, 6);
      const crashing = await crashAt(point);
      await crashing.expectKilled();
      await expectRecovered();
      expect((await chargesOf(portal.deps)).find(({ id }) => id === lost?.id)?.state).toBe('released');
    },
  );
});

describe('a card is saved, and the process is killed', () => {
  test.each([
    ['24-card-hold-made', 0],
    ['25-card-stored', 1],
    ['26-card-hold-kept', 1],
  ] as const)(
    '%s: %i card is there, its hold is released, and a repeat says the same',
    async (point, cards) => {
      const user = await signInUser(portal);
      const crashing = await crashAt(point);
      const body = {
        paymentKey: await emulator.mintPaymentKey(),
        maskedCard: '4000xxxxxxxx2224',
        street: 'Maple Street 12',
        postalCode: '62704',
      };
      const path = '/usaepay/portal/paymentmethods';
      await crashing.post(path, body, { token: user.token, key: point });
      await crashing.expectKilled();
      await expectRecovered();
      const stored = () => db().select().from(paymentMethod).where(eq(paymentMethod.userId, user.userId));
      expect(await stored()).toHaveLength(cards);
      const repeat = await portal.app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: {
          'x-apisecret': TEST_SECRETS.apiSecret,
          authorization: `Bearer ${user.token}`,
          'idempotency-key': point,
        },
        payload: body,
      });
      expect(repeat.statusCode).toBe(cards === 1 ? 200 : 503);
      expect(await stored()).toHaveLength(cards);
    },
  );
});

test('23-inside-comparison: it starts again, and gives back a late hold once', async () => {
  await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
  await payAsGuest(portal, await guestSale(emulator, await makeInvoice(db())));
  await sweepUntilSettled(portal.deps);
  const absent = (await chargesOf(portal.deps)).at(-1);
  expect(absent?.state).toBe('absent');
  await emulator.callAs('portal', 'POST', '/transactions', {
    command: 'authonly',
    amount: '108.25',
    orderid: absent?.orderId,
    creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
  });
  const crashing = await crashAt('23-inside-comparison');
  expect(await crashing.post('/office/reconcile', {}, { token: TEST_SECRETS.officeApiKey })).toBeNull();
  await crashing.expectKilled();
  const { differences } = await compareBooks(portal.deps);
  expect(differences).toMatchObject([{ kind: 'late-hold-released', orderId: absent?.orderId }]);
  expect((await compareBooks(portal.deps)).differences).toEqual([]);
  await expectRecovered();
});

test('every crash point of a payment has been reached by one of these tests', () => {
  const untested = Object.keys(CRASH_POINTS).filter((point) => !tested.has(point as CrashPoint));
  expect(untested).toEqual([]);
});
