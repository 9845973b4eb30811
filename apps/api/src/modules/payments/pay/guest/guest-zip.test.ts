import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../../test/books/sweep.ts';
import { call } from '../../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../../test/factories/payments/charges.ts';
import { guestSale, payAsGuest } from '../../../../../test/factories/payments/payments.ts';
import { callOffice } from '../../../../../test/office/office.ts';
import { usePayments } from '../../../../../test/use-payments.ts';
import { franchise, invoice } from '../../../../db/schema/franchises.ts';
import { outgoingMail } from '../../../../db/schema/operations.ts';
import { replaceMerchantAccount } from '../../../merchant-accounts/replace-merchant-account.ts';
import { storeFoundPayment } from '../../restore/found-payments.queries.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const NOT_FOUND = 'Invoice not found. Please check your information and try again.';
const TWO_DAYS = 2 * 24 * 60 * 60 * 1000;

beforeEach(() => {
  // Keep one test's misses from slowing down the next.
  portal.now = new Date(portal.now.getTime() + TWO_DAYS);
});

type Made = Awaited<ReturnType<typeof makeInvoice>>;
type Fields = Record<string, unknown>;

const strangers = [
  ['no zip code', {}],
  ['an empty zip code', { zipCode: '' }],
  ['another zip code', { zipCode: '62705' }],
] as const;

/** A payment by somebody who doesn't know the service address. */
const saleOf = (made: Made, zip: Fields, fields: Fields = {}) =>
  guestSale(emulator, made, { zipCode: undefined, ...zip, ...fields });

/** An invoice of an office with its own keys: refused ones rest, and other tests need the portal's. */
async function makeInvoiceElsewhere(): Promise<Made> {
  const { deps } = portal;
  const { franchiseId } = await makeInvoice(db());
  const keys = await emulator.merchant('north');
  await deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
  return makeInvoice(db(), { franchiseId });
}

describe.each(strangers)('a guest with %s', (_, zip) => {
  test('pays the full amount, with a tip and services on top', async () => {
    const made = await makeInvoice(db());
    const fields = { tipAmount: 5, additionalServiceAmount: 10, additionalServicesNote: 'Two more panes' };
    const answer = await payAsGuest(portal, await saleOf(made, zip, fields), { 'if-match': '"1"' });
    expect(answer.json()).toMatchObject({ amount: 124.08 });
    await sweep(portal.deps);
    await expectBalanced();
  });

  const CREDIT = { additionalServiceAmount: -1, additionalServicesNote: 'x' };
  test.each<[string, (made: Made) => Promise<void>, Fields, Record<string, string>]>([
    ['takes a credit', async () => {}, CREDIT, {}],
    ['has seen another version', async () => {}, {}, { 'if-match': '"7"' }],
    ['has a version that cannot be read', async () => {}, {}, { 'if-match': '"x"' }],
    ['feels for the balance by a huge tip', async () => {}, { tipAmount: 99_950 }, {}],
    [
      'tips where none are taken',
      async ({ invoiceId }) => {
        await db().update(invoice).set({ tipsEnabled: false }).where(eq(invoice.id, invoiceId));
      },
      { tipAmount: 1 },
      {},
    ],
    [
      'comes after the payment',
      async (made) => {
        await guestPays(made);
      },
      {},
      {},
    ],
  ])('who %s hears what a wrong number hears', async (_what, prepare, fields, headers) => {
    const made = await makeInvoice(db());
    await prepare(made);
    const refused = await payAsGuest(portal, await saleOf(made, zip, fields), headers);
    const unknown = await payAsGuest(
      portal,
      await saleOf({ ...made, workOrderNumber: 999_999_999 }, zip, fields),
      headers,
    );
    expect(refused.statusCode).toBe(404);
    expect(refused.json().detail).toBe(NOT_FOUND);
    expect(refused.body).toBe(unknown.body);
    const headersOf = ({ headers: { date, 'x-request-id': id, ...rest } }: typeof refused) => rest;
    expect(headersOf(refused)).toEqual(headersOf(unknown));
  });

  test('does not learn that a payment is in progress', async () => {
    const { invoiceId } = await makeCharge(portal.deps, { state: 'authorising' });
    const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
    if (!row) throw new Error('no invoice');
    const answer = await guestPays(row, zip);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errors).toMatchObject([{ code: 'NotFound' }]);
    await advanceEngineClock(portal.deps, 26);
    await sweepAll();
  });

  test('does not learn that a payment was found after a restore', async () => {
    const made = await makeInvoice(db());
    const order = `found-${made.workOrderNumber}`;
    await storeFoundPayment(db(), {
      orderId: order,
      transactionKey: order,
      accountId: 1,
      reference: order,
      amountCents: 1,
      state: 'captured',
      isUnnamed: false,
      workOrders: [made],
    });
    expect((await guestPays(made)).statusCode).toBe(409);
    const answer = await payAsGuest(portal, await saleOf(made, zip));
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errors).toMatchObject([{ code: 'NotFound' }]);
  });

  test('does not learn an amount that changed while the provider was asked', async () => {
    const made = await makeInvoice(db());
    const goOn = await emulator.hold();
    const paying = payAsGuest(portal, await saleOf(made, zip));
    const isAsked = async () => (await chargesOf(portal.deps)).some(({ state }) => state === 'authorising');
    await expect.poll(isAsked).toBe(true);
    await db().update(invoice).set({ amountCents: 120_00 }).where(eq(invoice.id, made.invoiceId));
    await goOn();
    const answer = await paying;
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe(
      `${NOT_FOUND} Your card was not charged. A pending amount at your bank disappears by itself.`,
    );
    // Drop the request id: its hexadecimal digits may contain any number.
    const { requestId: _, ...told } = answer.json();
    expect(JSON.stringify(told)).not.toContain('120');
    expect(told.errors).toMatchObject([{ code: 'NotCharged' }, { code: 'NotFound' }]);
    await sweep(portal.deps);
    await expectBalanced();
  });
});

test.each(['62704', '62704-1234', ' 6 2704'])(
  'compares the zip code %j as the look-up does',
  async (zipCode) => {
    const made = await makeInvoice(db());
    const answer = await payAsGuest(portal, await saleOf(made, { zipCode }), { 'if-match': '"7"' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().detail).toContain('$108.25');
  },
);

test('treats everybody as a stranger where an office gave no zip code', async () => {
  const made = await makeInvoice(db(), { zipCode: '' });
  const answer = await payAsGuest(portal, await saleOf(made, { zipCode: '' }), { 'if-match': '"7"' });
  expect(answer.statusCode).toBe(404);
});

const from = (remoteAddress: string, url: string, payload: object, headers = {}) =>
  portal.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { 'x-apisecret': 'test-api-secret', ...headers },
    remoteAddress,
    payload,
  });

describe('refusals of strangers count as misses of the look-up', () => {
  test('three hundred probes from one address get little further than ten', async () => {
    const made = await makeInvoice(db());
    const sales = await Promise.all(Array.from({ length: 300 }, () => saleOf(made, {})));
    const answers = await Promise.all(
      sales.map((sale, index) => {
        // Alternate the work order, or its own limit would hide the limit of the address.
        const workOrderNumber = index % 2 === 0 ? 1_000_000 + index : made.workOrderNumber;
        return from('192.0.2.20', '/usaepay/guestsale', { ...sale, workOrderNumber }, { 'if-match': '"7"' });
      }),
    );
    const answered = answers.filter(({ statusCode }) => statusCode === 404);
    expect(answered.length).toBeGreaterThanOrEqual(10);
    expect(answered.length).toBeLessThanOrEqual(13);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(300 - answered.length);
    const numbers = { ...made, zipCode: '62704' };
    const { franchiseId, workOrderNumber, zipCode } = numbers;
    const lookUp = { franchiseId, workOrderNumber, zipCode };
    expect((await from('192.0.2.20', '/user/invoice/search', lookUp)).statusCode).toBe(429);
    expect((await from('192.0.2.21', '/user/invoice/search', lookUp)).statusCode).toBe(200);
  });

  test('misses of the look-up delay payments, even with the right zip code', async () => {
    const made = await makeInvoice(db());
    const { franchiseId, workOrderNumber } = made;
    for (let miss = 1; miss <= 5; miss++) {
      const wrong = { franchiseId, workOrderNumber, zipCode: `1000${miss}` };
      expect((await from('192.0.2.22', '/user/invoice/search', wrong)).statusCode).toBe(404);
    }
    const sale = await guestSale(emulator, made);
    expect((await from('192.0.2.22', '/usaepay/guestsale', sale)).statusCode).toBe(429);
    expect((await from('192.0.2.23', '/usaepay/guestsale', sale)).statusCode).toBe(200);
  });

  test('tells a stranger of a decline, and counts it as a look-up', async () => {
    for (let decline = 1; decline <= 10; decline++) {
      const sale = await saleOf(await makeInvoice(db()), {}, { card: '4000300611112224' });
      const answer = await from('192.0.2.24', '/usaepay/guestsale', sale);
      expect(answer.json().errors.at(-1).code).toBe('Declined');
      expect(answer.body).not.toContain('108.25');
    }
    const { franchiseId, workOrderNumber, zipCode } = await makeInvoice(db());
    const lookUp = { franchiseId, workOrderNumber, zipCode };
    expect((await from('192.0.2.24', '/user/invoice/search', lookUp)).statusCode).toBe(429);
  });

  test.each<[string, string, Parameters<typeof emulator.script>[0]]>([
    ['refuses our keys', '192.0.2.25', { fault: 'status', status: 401, body: '{"errorcode":1}' }],
    [
      'answers with an unknown error',
      '192.0.2.26',
      { fault: 'wrong', answer: { result_code: 'E', error: 'Whatever', error_code: '9999', key: '' } },
    ],
  ])('whoever feels for the balance while the provider %s gets five answers', async (_what, ip, fault) => {
    await emulator.script({ ...fault, command: 'authonly', times: 20 });
    const made = await makeInvoiceElsewhere();
    const statuses: number[] = [];
    for (let tip = 0; tip < 7; tip++) {
      const answer = await from(ip, '/usaepay/guestsale', await saleOf(made, {}, { tipAmount: tip }));
      statuses.push(answer.statusCode);
    }
    await emulator.clearFaults();
    expect(statuses).toEqual([503, 503, 503, 503, 503, 429, 429]);
    await sweepAll();
  });

  test('a guest with the right zip code may try on while the provider fails', async () => {
    await emulator.script({
      fault: 'status',
      status: 401,
      body: '{"errorcode":1}',
      command: 'authonly',
      times: 20,
    });
    const made = await makeInvoiceElsewhere();
    for (let time = 1; time <= 7; time++) {
      const answer = await from('192.0.2.27', '/usaepay/guestsale', await guestSale(emulator, made));
      expect(answer.statusCode).toBe(503);
    }
    await emulator.clearFaults();
    await sweepAll();
  });
});

describe('credits', () => {
  const credit = (amount: number) => ({
    additionalServiceAmount: amount,
    additionalServicesNote: 'One pane less',
  });

  test('are limited to a quarter by a new franchise', async () => {
    const made = await makeInvoice(db(), { amountCents: 1_000_00, taxCents: 0, taxRatePpm: 0 });
    const pay = async (amount: number) => guestPays(made, credit(amount));
    expect((await pay(-999.99)).json().errors).toMatchObject([{ code: 'CreditTooLarge' }]);
    expect((await pay(-250.01)).statusCode).toBe(400);
    expect((await pay(-250)).json()).toMatchObject({ amount: 750 });
  });

  test('are in the status until somebody has looked, if the franchise has no address', async () => {
    const made = await makeInvoice(db());
    const mails = async () => (await db().select().from(outgoingMail)).length;
    const before = await mails();
    expect((await guestPays(made, credit(-20))).statusCode).toBe(200);
    expect(await mails()).toBe(before);
    const unseen = async () => (await callOffice(portal, 'GET', '/status')).json().payments.creditsUnseen;
    const known = await unseen();
    const listed = (await callOffice(portal, 'GET', '/credits')).json();
    expect(listed).toHaveLength(known);
    const mine = listed.find(
      (each: { workOrderNumber: number }) => each.workOrderNumber === made.workOrderNumber,
    );
    expect(mine).toMatchObject({ franchiseId: made.franchiseId, amount: -21.65, note: 'One pane less' });
    const seen = () => callOffice(portal, 'POST', `/credits/${mine.creditId}/seen`, { body: {} });
    expect((await seen()).json()).toEqual({ creditId: mine.creditId });
    expect((await seen()).statusCode).toBe(404);
    expect(await unseen()).toBe(known - 1);
  });

  test('are mailed to the office only, if it has an address', async () => {
    const made = await makeInvoice(db());
    const email = `office-${made.franchiseId}@example.com`;
    await db().update(franchise).set({ email }).where(eq(franchise.id, made.franchiseId));
    await guestPays(made, credit(-20));
    const listed = (await callOffice(portal, 'GET', '/credits')).json();
    expect(listed.map((each: { franchiseId: number }) => each.franchiseId)).not.toContain(made.franchiseId);
    const [mail] = await db().select().from(outgoingMail).where(eq(outgoingMail.recipient, email));
    expect(mail?.kind).toBe('credit-note');
  });

  test('leave something to pay on every invoice, not only in the sum', async () => {
    const made = await makeInvoice(db());
    await db().update(franchise).set({ maxCreditPercent: 100 }).where(eq(franchise.id, made.franchiseId));
    const sale = await guestSale(emulator, made, { ...credit(-108.25), tipAmount: 50 });
    expect((await payAsGuest(portal, sale)).json().errors).toMatchObject([{ code: 'TotalNotPositive' }]);
  });
});

test('the search tells the guest nothing that the payment would not', async () => {
  const made = await makeInvoice(db());
  const { franchiseId, workOrderNumber } = made;
  const body = { franchiseId, workOrderNumber, zipCode: '62705' };
  const search = await call(portal, 'POST', '/user/invoice/search', { body });
  const sale = await payAsGuest(portal, await saleOf(made, {}), { 'if-match': '"7"' });
  expect(sale.json().detail).toBe(search.json().detail);
});
