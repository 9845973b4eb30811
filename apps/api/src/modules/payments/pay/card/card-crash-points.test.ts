import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chargesOf } from '../../../../../test/books/compare-ledgers.ts';
import { call } from '../../../../../test/build-test-app.ts';
import { useCrashes } from '../../../../../test/crashes/use-crashes.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../../test/factories/users.ts';
import { usePayments } from '../../../../../test/use-payments.ts';
import { paymentMethod } from '../../../../db/schema/payments.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const { emulator, portal, db, sweepAll, expectBalanced } = usePayments();
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'cards');
const CARDS = '/usaepay/portal/paymentmethods';

beforeEach(() => emulator.clearFaults());

async function expectRecovered(): Promise<void> {
  await sweepAll();
  await expectBalanced();
}

const newCard = async () => ({
  paymentKey: await emulator.mintPaymentKey(),
  maskedCard: '4000xxxxxxxx2224',
  street: 'Maple Street 12',
  postalCode: '62704',
});

describe('a card is saved, and the process is killed', () => {
  test.each([
    ['50-card-begun', 0],
    ['24-card-hold-made', 0],
    ['51-card-token-made', 0],
    ['52-inside-card-stored', 0],
    ['25-card-stored', 1],
    ['26-card-hold-kept', 1],
  ] as const)(
    '%s: %i card is there, its hold is released, and a repeat says the same',
    async (point, cards) => {
      const { userId, token } = await signInUser(portal);
      if (point === '51-card-token-made') {
        await emulator.script({ fault: 'wrong', command: 'authonly', answer: { savedcard: null } });
      }
      // Release the previous test's hold first, or the crash point would fire on it before there is a card.
      await expectRecovered();
      const crashing = await crashAt(point);
      const body = await newCard();
      await crashing.post(CARDS, body, { token, key: point });
      await crashing.killed();
      await expectRecovered();
      const stored = () => db().select().from(paymentMethod).where(eq(paymentMethod.userId, userId));
      expect(await stored()).toHaveLength(cards);
      const headers = { 'idempotency-key': point };
      const repeat = await call(portal, 'POST', CARDS, { token, headers, body });
      expect(repeat.statusCode).toBe(cards === 1 ? 200 : 503);
      expect(await stored()).toHaveLength(cards);

      expect((await call(portal, 'POST', CARDS, { token, body: await newCard() })).statusCode).toBe(200);
      expect(await stored()).toHaveLength(cards + 1);
    },
  );
});

describe('a card is deleted', () => {
  async function buyer() {
    const user = await signInUser(portal);
    const paymentMethodId = await addCard(portal, emulator, user);
    const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
    const unpaid = await makeUnpaidInvoices(portal, { user, franchises, invoices: 1 });
    await sweepAll();
    return { ...user, card: `${CARDS}/${paymentMethodId}`, body: portalSale(unpaid, { paymentMethodId }) };
  }

  test('27-card-deleted, and the process is killed before it could say so: the card is unusable at once', async () => {
    const { token, card, body } = await buyer();
    const crashing = await crashAt('27-card-deleted');
    expect(await crashing.call('DELETE', card, { token })).toBeNull();
    await crashing.killed();
    const charges = await chargesOf(portal.deps);
    expect((await payAsCustomer(portal, token, body)).statusCode).toBe(404);
    expect((await call(portal, 'DELETE', card, { token })).statusCode).toBe(404);
    expect(await chargesOf(portal.deps)).toEqual(charges);
  });

  test('28-saved-card-charged, while it is charged by a process that is killed: the hold is released', async () => {
    const { token, card, body } = await buyer();
    const held = (await emulator.ledger()).length;
    const goOn = await emulator.hold();
    const crashing = await crashAt('28-saved-card-charged');
    const sale = crashing.post('/usaepay/customerportalsale', body, { token, key: 'deleted' });
    await vi.waitUntil(async () => (await emulator.ledger()).length > held, 60_000);
    expect((await call(portal, 'DELETE', card, { token })).statusCode).toBe(204);
    await goOn();
    expect(await sale).toBeNull();
    await crashing.killed();
    await expectRecovered();
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('released');
    expect((await payAsCustomer(portal, token, body)).statusCode).toBe(404);
  });

  test('while it is charged by a process that lives: that charge is captured, and later ones are refused', async () => {
    const { token, card, body } = await buyer();
    const held = (await emulator.ledger()).length;
    const goOn = await emulator.hold();
    const sale = payAsCustomer(portal, token, body);
    await vi.waitUntil(async () => (await emulator.ledger()).length > held, 60_000);
    expect((await call(portal, 'DELETE', card, { token })).statusCode).toBe(204);
    await goOn();
    expect((await sale).statusCode).toBe(200);
    await expectRecovered();
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('captured');
    expect((await payAsCustomer(portal, token, body)).statusCode).toBe(404);
  });
});

testThatAllWereReached();
