import { beforeEach, describe, expect, test } from 'vitest';
import { TEST_SECRETS } from '../../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { guestSale } from '../../../../../test/factories/payments/payments.ts';
import { signInUser } from '../../../../../test/factories/users.ts';
import { usePayments } from '../../../../../test/use-payments.ts';

const { emulator, portal } = usePayments(() => ({ TRUST_PROXY: '1' }));
const DECLINED = '4000300611112224';

beforeEach(async () => {
  await portal.deps.db.pool.query('DELETE FROM limit_counter');
});

const post = (from: string, url: string, payload: object, headers = {}) =>
  portal.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { 'x-apisecret': TEST_SECRETS.apiSecret, 'x-forwarded-for': from, ...headers },
    payload,
  });

/** Adds a card under a new account that nothing else uses. */
async function addFrom(from: string, { card }: { card?: string } = {}) {
  const { token } = await signInUser(portal);
  const paymentKey = await emulator.mintPaymentKey(card === undefined ? {} : { card });
  const body = { paymentKey, maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' };
  return post(from, '/usaepay/portal/paymentmethods', body, { authorization: `Bearer ${token}` });
}

async function payFrom(from: string, { card }: { card?: string } = {}) {
  const sale = await guestSale(emulator, await makeInvoice(portal.deps.db.query), { ...(card && { card }) });
  return post(from, '/usaepay/guestsale', sale);
}

describe('declined cards', () => {
  test('of many accounts at one address are counted together, and with those of guests', async () => {
    const from = '192.0.2.1';
    for (let decline = 1; decline <= 5; decline++) {
      expect((await addFrom(from, { card: DECLINED })).statusCode).toBe(400);
      expect((await payFrom(from, { card: DECLINED })).statusCode).toBe(400);
    }
    const waiting = await addFrom(from);
    expect(waiting.statusCode).toBe(429);
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
    expect((await payFrom(from)).statusCode).toBe(429);
    expect((await addFrom('192.0.2.2')).statusCode).toBe(200);
  });

  test.each([
    ['a /24', (host: number) => `192.0.2.${host}`, '192.0.3.1'],
    ['a /48', (host: number) => `2001:db8:1:${host}::7`, '2001:db8:2:1::7'],
  ])('of many addresses in %s are counted together', async (_, addressOf, elsewhere) => {
    for (let host = 1; host <= 30; host++) {
      expect((await addFrom(addressOf(host), { card: DECLINED })).statusCode).toBe(400);
    }
    expect((await addFrom(addressOf(31))).statusCode).toBe(429);
    expect((await addFrom(elsewhere)).statusCode).toBe(200);
  });

  test('of many networks count for more against their source, and block nobody whose card is good', async () => {
    const attacker = (network: number) => `10.0.${network}.1`;
    for (let network = 1; network <= 60; network++) {
      expect((await payFrom(attacker(network), { card: DECLINED })).statusCode).toBe(400);
    }
    // An address usually gets ten free declines; now it gets two.
    const from = '10.1.0.1';
    for (let decline = 1; decline <= 2; decline++) {
      expect((await payFrom(from, { card: DECLINED })).statusCode).toBe(400);
    }
    expect((await payFrom(from)).statusCode).toBe(429);
    // Saved cards are checked on the same merchant account, so one decline uses up a user's limit.
    const { token } = await signInUser(portal);
    const add = async (card?: string) =>
      post(
        '10.2.0.1',
        '/usaepay/portal/paymentmethods',
        {
          paymentKey: await emulator.mintPaymentKey(card === undefined ? {} : { card }),
          maskedCard: '4000xxxxxxxx2224',
          street: 'Maple Street 12',
          postalCode: '62704',
        },
        { authorization: `Bearer ${token}` },
      );
    expect((await add(DECLINED)).statusCode).toBe(400);
    expect((await add()).statusCode).toBe(429);
    for (let network = 1; network <= 5; network++) {
      const ordinary = `10.3.${network}.1`;
      expect((await payFrom(ordinary, { card: DECLINED })).statusCode).toBe(400);
      expect((await payFrom(ordinary)).statusCode).toBe(200);
      expect((await addFrom(ordinary)).statusCode).toBe(200);
    }
  });
});
