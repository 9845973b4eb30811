import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
  type UnpaidInvoice,
} from '../../../../test/factories/unpaid-invoices.ts';
import { linkLocation, type SignedInUser, signInUser } from '../../../../test/factories/users.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { franchise, invoice } from '../../../db/schema/franchises.ts';
import { outgoingMail } from '../../../db/schema/operations.ts';
import { chargeAllocation, invoiceClaim, paymentIntent, paymentMethod } from '../../../db/schema/payments.ts';
import { userLocation } from '../../../db/schema/people.ts';

const { emulator, portal, db, sweepAll, expectBalanced } = usePayments();

let user: SignedInUser;
let paymentMethodId: string;

beforeAll(async () => {
  user = await signInUser(portal);
  paymentMethodId = await addCard(portal, emulator, user);
});
beforeEach(() => emulator.clearFaults());

const pay = (body: unknown, headers: Record<string, string> = {}) =>
  payAsCustomer(portal, user.token, body, headers);

async function twoInvoices(): Promise<[UnpaidInvoice, UnpaidInvoice]> {
  const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
  const [one, two] = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
  if (!one || !two) throw new Error('two invoices were asked for');
  return [one, two];
}

const sale = (invoices: UnpaidInvoice[], given: object = {}, added: object = {}) =>
  portalSale(invoices, { paymentMethodId, ...given }, added);

async function rowOf({ invoiceId }: { invoiceId: number }) {
  const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
  if (!row) throw new Error('no invoice');
  return row;
}

async function expectUntouched(invoices: UnpaidInvoice[]): Promise<void> {
  for (const made of invoices) {
    const row = await rowOf(made);
    expect(row.balanceCents).toBe(row.amountCents);
    expect(
      await db()
        .select()
        .from(invoiceClaim)
        .where(and(eq(invoiceClaim.invoiceId, made.invoiceId), eq(invoiceClaim.state, 'live'))),
    ).toEqual([]);
  }
}

const receiptsOf = (recipient: string) =>
  db()
    .select()
    .from(outgoingMail)
    .where(and(eq(outgoingMail.kind, 'payment-receipt'), eq(outgoingMail.recipient, recipient)));

describe('paying with a saved card', () => {
  test('pays all, answers amount and reference, and removes the invoices from the list', async () => {
    const invoices = await twoInvoices();
    const expected = (await Promise.all(invoices.map(rowOf))).reduce(
      (sum, row) => sum + row.amountCents + 5_00,
      0,
    );

    const answer = await pay(sale(invoices, {}, { tipAmount: 5 }));

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      amount: expected / 100,
      references: [expect.stringMatching(/^\d+$/)],
      paymentId: expect.any(String),
    });
    for (const made of invoices) expect((await rowOf(made)).balanceCents).toBe(0);
    const listed = await call(portal, 'GET', '/user/invoice', { token: user.token });
    const numbers = listed.json<{ workOrderNumber: number }[]>().map((each) => each.workOrderNumber);
    expect(numbers).not.toContain(invoices[0].workOrderNumber);
    await sweepAll();
    await expectBalanced();
  });

  test('is shown in the location’s history, with date, amount and kind', async () => {
    const [one] = await twoInvoices();
    await pay(
      sale([one], {}, { tipAmount: 5, additionalServiceAmount: 10, additionalServicesNote: 'Gutters' }),
    );
    const history = await call(portal, 'GET', `/user/location/${one.locationId}/history`, {
      token: user.token,
    });
    const paidCents = (await rowOf(one)).amountCents + 10_00 + 83 + 5_00;
    expect(history.json()).toMatchObject([
      {
        workOrderNumber: one.workOrderNumber,
        balanceDue: 0,
        payments: [
          {
            paymentDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            amount: paidCents / 100,
            additionalServiceAmount: 10,
            tipAmount: 5,
            type: { description: 'Card' },
          },
        ],
        additionalServices: [{ amount: 10 }],
        tips: [{ amount: 5 }],
      },
    ]);
  });

  test('sends a receipt to the account’s address, unless it is not wanted', async () => {
    const buyer = await signInUser(portal);
    const card = await addCard(portal, emulator, buyer);
    const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
    const [one, two] = await makeUnpaidInvoices(portal, { user: buyer, franchises, invoices: 2 });
    if (!one || !two) throw new Error('two invoices were asked for');
    await payAsCustomer(
      portal,
      buyer.token,
      portalSale([one], { paymentMethodId: card, sendReceipt: false }),
    );
    expect(await receiptsOf(buyer.email)).toEqual([]);
    await payAsCustomer(portal, buyer.token, portalSale([two], { paymentMethodId: card }));
    expect(await receiptsOf(buyer.email)).toMatchObject([
      { content: { text: expect.stringContaining(String(two.workOrderNumber)) } },
    ]);
  });

  test.each([
    ['markup', '<img src=x onerror="alert(1)"> & <b>bold</b>'],
    ['emoji and accents', '🪟 Fenêtres — très sales 👩🏽‍🔧'],
    ['right to left', 'النوافذ كانت متسخة'],
    ['SQL', `'); DROP TABLE invoice; --`],
  ])('keeps a note with %s as it was typed', async (_what, note) => {
    const [one] = await twoInvoices();
    const answer = await pay(sale([one], {}, { additionalServiceAmount: 1, additionalServicesNote: note }));
    expect(answer.statusCode).toBe(200);
    const [row] = await db()
      .select()
      .from(chargeAllocation)
      .where(eq(chargeAllocation.invoiceId, one.invoiceId));
    expect(row?.servicesNote).toBe(note);
  });

  test('ignores a note without an amount', async () => {
    const [one] = await twoInvoices();
    await pay(sale([one], {}, { additionalServiceAmount: 0, additionalServicesNote: 'nothing' }));
    const [row] = await db()
      .select()
      .from(chargeAllocation)
      .where(eq(chargeAllocation.invoiceId, one.invoiceId));
    expect(row).toMatchObject({ servicesCents: 0, servicesNote: null });
  });
});

describe('the legal terms', () => {
  test('are remembered for the locations that were paid, and not asked again', async () => {
    const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
    const [one, other, later] = await makeUnpaidInvoices(portal, { user, franchises, invoices: 3 });
    if (!one || !other || !later) throw new Error('three invoices were asked for');

    const refused = await pay(sale([one], { legalAccepted: false }));
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ detail: 'Please accept the terms to pay.' });
    await expectUntouched([one]);

    expect((await pay(sale([one]))).statusCode).toBe(200);
    const locations = await call(portal, 'GET', '/user/location', { token: user.token });
    const accepted = new Map(
      locations
        .json<{ locationId: number; legalAccepted: boolean }[]>()
        .map((each) => [each.locationId, each.legalAccepted]),
    );
    expect(accepted.get(one.locationId)).toBe(true);
    expect(accepted.get(other.locationId)).toBe(false);

    expect((await pay(sale([later], { legalAccepted: false }))).statusCode).toBe(200);
    expect((await pay(sale([other], { legalAccepted: false }))).statusCode).toBe(400);
  });

  test('are accepted in the form of a form field', async () => {
    const [one] = await twoInvoices();
    expect((await pay(sale([one], { legalAccepted: 'on', sendReceipt: 'on' }))).statusCode).toBe(200);
  });
});

describe('an idempotency key', () => {
  test('replays the answer, and charges once', async () => {
    const invoices = await twoInvoices();
    const headers = { 'idempotency-key': 'several-1' };
    const first = await pay(sale(invoices), headers);
    const second = await pay(sale(invoices), headers);
    expect(second.json()).toEqual(first.json());
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(
      await db().select().from(paymentIntent).where(eq(paymentIntent.idemKey, 'several-1')),
    ).toHaveLength(1);
  });

  test('with other work orders is refused', async () => {
    const [one, two] = await twoInvoices();
    const headers = { 'idempotency-key': 'several-2' };
    await pay(sale([one]), headers);
    expect((await pay(sale([two]), headers)).statusCode).toBe(422);
    await expectUntouched([two]);
  });

  test('is each user’s own', async () => {
    const [one] = await twoInvoices();
    const headers = { 'idempotency-key': 'several-3' };
    await pay(sale([one]), headers);
    const other = await signInUser(portal);
    const card = await addCard(portal, emulator, other);
    const answer = await payAsCustomer(
      portal,
      other.token,
      portalSale([one], { paymentMethodId: card }),
      headers,
    );
    expect(answer.statusCode).toBe(404);
  });

  test('replays although the card has been deleted meanwhile', async () => {
    const buyer = await signInUser(portal);
    const card = await addCard(portal, emulator, buyer);
    const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
    const unpaid = await makeUnpaidInvoices(portal, { user: buyer, franchises, invoices: 1 });
    const body = portalSale(unpaid, { paymentMethodId: card });
    const headers = { 'idempotency-key': 'several-4' };
    const first = await payAsCustomer(portal, buyer.token, body, headers);
    await call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${card}`, { token: buyer.token });
    const again = await payAsCustomer(portal, buyer.token, body, headers);
    expect(again.json()).toEqual(first.json());
  });
});

describe('a card', () => {
  const cards: [string, () => Promise<string>, number, string][] = [
    [
      'of somebody else',
      async () => addCard(portal, emulator, await signInUser(portal)),
      404,
      'Payment method not found.',
    ],
    [
      'that was deleted',
      async () => {
        const id = await addCard(portal, emulator, user);
        await call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${id}`, { token: user.token });
        return id;
      },
      404,
      'Payment method not found.',
    ],
    ['that never was', async () => '00000000-0000-4000-8000-000000000000', 404, 'Payment method not found.'],
    ['that is no id', async () => 'my card', 404, 'Payment method not found.'],
    [
      'that has expired',
      async () => {
        const id = await addCard(portal, emulator, user);
        await db().update(paymentMethod).set({ expiresMonth: '2026-10-01' }).where(eq(paymentMethod.id, id));
        return id;
      },
      400,
      'This card has expired. Please choose another one.',
    ],
  ];
  test.each(cards)('%s pays nothing', async (_what, idOf, status, detail) => {
    const invoices = await twoInvoices();
    const answer = await pay(sale(invoices, { paymentMethodId: await idOf() }));
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ detail });
    await expectUntouched(invoices);
  });

  test('that is declined pays nothing, says why, and another can be tried at once', async () => {
    const invoices = await twoInvoices();
    await emulator.script({
      fault: 'wrong',
      when: 'before',
      command: 'cc:authonly',
      answer: { result_code: 'D', result: 'Declined', error: 'Insufficient funds', error_code: 10251 },
    });
    const declined = await pay(sale(invoices));
    expect(declined.statusCode).toBe(400);
    expect(declined.json().detail).toMatch(/Your card was not charged\.$/);
    await expectUntouched(invoices);
    expect((await pay(sale(invoices))).statusCode).toBe(200);
  });
});

describe('a work order', () => {
  async function foreign(): Promise<UnpaidInvoice> {
    const other = await signInUser(portal);
    const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
    const [made] = await makeUnpaidInvoices(portal, { user: other, franchises, invoices: 1 });
    if (!made) throw new Error('no invoice');
    return made;
  }
  const NOT_FOUND = 'Invoice not found. Please check your information and try again.';

  test.each([
    ['of somebody else', foreign],
    ['that does not exist', async () => ({ ...(await foreign()), workOrderNumber: 7_777_777 })],
    [
      'of a location that was removed',
      async () => {
        const made = await foreign();
        await db()
          .insert(userLocation)
          .values({ userId: user.userId, locationId: made.locationId, hiddenAt: portal.now });
        return made;
      },
    ],
  ])('%s is not found, and nothing else is paid with it', async (_what, make) => {
    const [one] = await twoInvoices();
    const answer = await pay(sale([one, await make()]));
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ detail: NOT_FOUND });
    await expectUntouched([one]);
  });

  test('that is paid already is named', async () => {
    const [one, two] = await twoInvoices();
    await pay(sale([one]));
    const answer = await pay(sale([one, two]));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail: `Work order ${one.workOrderNumber} is already paid.` });
    await expectUntouched([two]);
  });

  test('listed twice is named', async () => {
    const [one, two] = await twoInvoices();
    const answer = await pay(sale([one, two, one]));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: `Work order ${one.workOrderNumber} is in this payment twice.`,
    });
    await expectUntouched([one, two]);
  });

  test('of another version is refused with what is due now, and paid with the right one', async () => {
    const [one, two] = await twoInvoices();
    const seen = (await rowOf(one)).version;
    await db().update(invoice).set({ amountCents: 200_00 }).where(eq(invoice.id, one.invoiceId));
    const line = ({ franchiseId, workOrderNumber }: UnpaidInvoice) => ({ franchiseId, workOrderNumber });
    const body = (version: number) =>
      sale([one, two], { workOrders: [{ ...line(one), version }, line(two)] });

    const stale = await pay(body(seen));
    expect(stale.statusCode).toBe(409);
    expect(stale.json()).toMatchObject({
      detail: `Work order ${one.workOrderNumber} has changed: $200.00 is due now. Please check it and try again.`,
      errors: [{ code: 'InvoiceChanged' }],
    });
    await expectUntouched([one, two]);
    expect((await pay(body(seen + 1))).statusCode).toBe(200);
  });

  test('without tips accepts none', async () => {
    const made = await makeInvoice(db(), { tipsEnabled: false });
    await linkLocation(portal, { ...user, ...made });
    const body = portalSale([made], { paymentMethodId }, { tipAmount: 0.01 });
    const answer = await pay(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: `Tips are not possible for work order ${made.workOrderNumber}.`,
    });
  });

  test('that a credit would reduce to nothing is refused, even if others keep the sum above it', async () => {
    const [one, two] = await twoInvoices();
    const { amountCents } = await rowOf(one);
    const credited = {
      franchiseId: one.franchiseId,
      workOrderNumber: one.workOrderNumber,
      additionalServiceAmount: -amountCents / 100,
      additionalServicesNote: 'all of it',
      tipAmount: 50,
    };
    const other = { franchiseId: two.franchiseId, workOrderNumber: two.workOrderNumber };
    const answer = await pay(sale([], { workOrders: [credited, other] }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: `The total of work order ${one.workOrderNumber} must be above $0.00.`,
    });
    await expectUntouched([one, two]);
  });

  test('accepts a credit up to its franchise’s limit', async () => {
    const [one] = await twoInvoices();
    await db().update(franchise).set({ maxCreditPercent: 10 }).where(eq(franchise.id, one.franchiseId));
    const answer = await pay(
      sale([one], {}, { additionalServiceAmount: -60, additionalServicesNote: 'too much' }),
    );
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: `Additional services may reduce work order ${one.workOrderNumber} by at most 10%.`,
    });
    await expectUntouched([one]);
  });
});

describe('a body', () => {
  const SERVICES = 'Please enter the services as an amount like 12.50 or -12.50.';
  const TIP = 'Please enter the tip as an amount like 12.50.';
  const CHECK = 'Please check this box again.';
  const AT_LEAST_ONE = 'Please choose at least one invoice.';
  const line = { franchiseId: 1, workOrderNumber: 1 };
  const good = { paymentMethodId: 'card', sendReceipt: true, legalAccepted: true, workOrders: [line] };
  const withLine = (given: object) => ({ ...good, workOrders: [{ ...line, ...given }] });

  test.each<[string, unknown, string]>([
    ['without a card', { ...good, paymentMethodId: undefined }, 'Please enter your payment method.'],
    ['with a card that is a number', { ...good, paymentMethodId: 7 }, 'Please enter your payment method.'],
    ['with a NUL in the card', { ...good, paymentMethodId: 'a\u0000' }, 'Please check your payment method.'],
    ['without legalAccepted', { ...good, legalAccepted: undefined }, CHECK],
    ['with legalAccepted as a word', { ...good, legalAccepted: 'yes' }, CHECK],
    ['with legalAccepted as a number', { ...good, legalAccepted: 1 }, CHECK],
    ['with sendReceipt as a list', { ...good, sendReceipt: [] }, CHECK],
    ['without work orders', { ...good, workOrders: undefined }, AT_LEAST_ONE],
    ['with no work order', { ...good, workOrders: [] }, AT_LEAST_ONE],
    ['with work orders as an object', { ...good, workOrders: { 0: line } }, AT_LEAST_ONE],
    [
      'with 501 work orders',
      {
        ...good,
        workOrders: Array.from({ length: 501 }, (_, index) => ({ ...line, workOrderNumber: index + 1 })),
      },
      'Please pay at most 500 invoices at once.',
    ],
    ['with a franchise of letters', withLine({ franchiseId: 'one' }), 'Invalid franchise number'],
    ['with a work order of zero', withLine({ workOrderNumber: 0 }), 'Invalid work order number'],
    ['with a work order that is a list', withLine({ workOrderNumber: [1] }), 'Invalid work order number'],
    ['with a negative tip', withLine({ tipAmount: -0.01 }), TIP],
    ['with a tip of three decimals', withLine({ tipAmount: 1.001 }), TIP],
    ['with a tip in words', withLine({ tipAmount: 'NaN' }), TIP],
    ['with a tip that is an exponent', withLine({ tipAmount: '1e3' }), TIP],
    ['with a huge tip', withLine({ tipAmount: 100_000 }), TIP],
    ['with services of three decimals', withLine({ additionalServiceAmount: 0.001 }), SERVICES],
    ['with services that are nothing', withLine({ additionalServiceAmount: null }), SERVICES],
    ['with huge services', withLine({ additionalServiceAmount: 1e9 }), SERVICES],
    [
      'with services and no note',
      withLine({ additionalServiceAmount: 1 }),
      'Please add a note for the additional services.',
    ],
    [
      'with services and a blank note',
      withLine({ additionalServiceAmount: 1, additionalServicesNote: '  ' }),
      'Please add a note for the additional services.',
    ],
    [
      'with a long note',
      withLine({ additionalServiceAmount: 1, additionalServicesNote: 'x'.repeat(501) }),
      'Please shorten your note to 500 characters.',
    ],
    ['with a version that is a word', withLine({ version: 'new' }), 'Please load the page again.'],
    ['with an amount of its own', withLine({ amount: 0.01 }), 'This field is not known.'],
    ['with a balance of its own', { ...good, balanceDue: 0 }, 'This field is not known.'],
    ['that is a list', [good], 'We could not read this request.'],
  ])('%s is refused with a sentence', async (_what, body, detail) => {
    const answer = await pay(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ title: 'Bad Request', status: 400, detail });
  });

  test('of ten thousand work orders is refused', async () => {
    const workOrders = Array.from({ length: 10_000 }, (_, index) => ({
      ...line,
      workOrderNumber: index + 1,
    }));
    const answer = await pay({ ...good, workOrders });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ status: 413, detail: 'This request is too large.' });
  });

  test('above the card provider’s maximum is refused as a whole', async () => {
    const [one, two] = await twoInvoices();
    const answer = await pay(sale([one, two], {}, { tipAmount: 60_000 }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail: 'A payment may come to at most $99,999.00.' });
    await expectUntouched([one, two]);
  });
});

test('a card deleted during its payment ends that payment by its own rules', async () => {
  const invoices = await twoInvoices();
  const card = await addCard(portal, emulator, user);
  const goOn = await emulator.hold({ when: 'before', command: 'cc:authonly' });
  const paying = pay(sale(invoices, { paymentMethodId: card }));
  const isAsked = () =>
    db()
      .select()
      .from(invoiceClaim)
      .where(and(eq(invoiceClaim.invoiceId, invoices[0].invoiceId), eq(invoiceClaim.state, 'live')));
  await expect.poll(isAsked).toHaveLength(1);
  await call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${card}`, { token: user.token });
  await goOn();
  expect((await paying).statusCode).toBe(200);
  const later = await twoInvoices();
  expect((await pay(sale(later, { paymentMethodId: card }))).statusCode).toBe(404);
  await sweepAll();
  await expectBalanced();
});
