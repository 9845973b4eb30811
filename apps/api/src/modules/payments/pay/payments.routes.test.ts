import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf, expectBooksBalanced } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice, receiveElsewhere } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { franchise, invoice } from '../../../db/schema/franchises.ts';
import { type MailContent, outgoingMail } from '../../../db/schema/operations.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const TWO_HOURS = 2 * 60 * 60 * 1000;

beforeEach(async () => {
  await emulator.clearFaults();
  // Keep one test's declines from slowing down the next.
  portal.now = new Date(portal.now.getTime() + TWO_HOURS);
});

async function balanceOf(invoiceId: number): Promise<number | undefined> {
  const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
  return row?.balanceCents;
}

async function countIntents(): Promise<number | undefined> {
  const { rows } = await db().execute<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM payment_intent`,
  );
  return rows[0]?.count;
}

async function mailsTo(recipient: string) {
  return db().select().from(outgoingMail).where(eq(outgoingMail.recipient, recipient));
}

async function mailTo(recipient: string) {
  const [mail, ...others] = await mailsTo(recipient);
  if (!mail || others.length > 0) throw new Error(`${others.length} other mails to ${recipient}`);
  return { kind: mail.kind, ...(mail.content as MailContent) };
}

async function lastCharge() {
  return (await chargesOf(portal.deps)).at(-1);
}

const capturedRows = async () => (await emulator.ledger()).filter((row) => row.trantype_code === 'L').length;

const NOT_CHARGED = { code: 'NotCharged', description: 'Your card was not charged.' };

describe('a guest who pays an invoice', () => {
  test('gets amount and reference, and the card is charged once', async () => {
    const made = await makeInvoice(db());
    const answer = await guestPays(made, { tipAmount: 15 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      amount: 123.25,
      reference: expect.stringMatching(/^\d+$/),
      offer: expect.any(String),
    });
    expect(await balanceOf(made.invoiceId)).toBe(0);
    await sweep(portal.deps);
    expect((await lastCharge())?.state).toBe('captured');
    await expectBalanced();
  });

  test('gets a receipt whose lines add up, with the masked card and the reference', async () => {
    const made = await makeInvoice(db());
    const body = await guestSale(emulator, made, {
      email: 'receipt@example.com',
      additionalServiceAmount: 10,
      additionalServicesNote: 'Two <b>more</b> windows 🪟',
      tipAmount: '5.50',
    });
    const { reference } = (await payAsGuest(portal, body)).json();
    const { subject, text, html } = await mailTo('receipt@example.com');
    expect(subject).toBe('Receipt for your payment of $124.58');
    expect(text.replace(/ {2,}/g, ': ')).toContain(
      [
        'Invoice amount: $100.00',
        'Additional services (Two <b>more</b> windows 🪟): $10.00',
        'Sales tax: $9.08',
        'Tip: $5.50',
        'Total: $124.58',
      ].join('\n'),
    );
    expect(text).toContain('Visa xxxx2224');
    expect(text).toContain(reference);
    expect(html).toContain('Two &lt;b&gt;more&lt;/b&gt; windows 🪟');
    await sweep(portal.deps);
    await expectBalanced();
  });

  test.each([
    ['no email', {}],
    ['a box that is not ticked', { email: 'no-receipt@example.com', sendReceipt: false }],
  ])('gets no receipt with %s', async (_, fields) => {
    const made = await makeInvoice(db());
    const before = (await db().select().from(outgoingMail)).length;
    expect((await guestPays(made, fields)).statusCode).toBe(200);
    expect((await db().select().from(outgoingMail)).length).toBe(before);
  });

  test('may deduct something, which pays the invoice and is mailed to the office with the note', async () => {
    const made = await makeInvoice(db());
    const email = `office-${made.franchiseId}@example.com`;
    await db().update(franchise).set({ email }).where(eq(franchise.id, made.franchiseId));
    const body = await guestSale(emulator, made, {
      additionalServiceAmount: -20,
      additionalServicesNote: 'One window was broken',
    });
    expect((await payAsGuest(portal, body)).json()).toMatchObject({ amount: 86.6 });
    expect(await balanceOf(made.invoiceId)).toBe(0);
    const mail = await mailTo(email);
    expect(mail.kind).toBe('credit-note');
    expect(mail.text).toContain('One window was broken');
    await sweep(portal.deps);
    await expectBalanced();
  });

  test('pays what is left of a part-paid invoice', async () => {
    const made = await makeInvoice(db(), { paidElsewhereCents: 58_25 });
    expect((await guestPays(made)).json()).toMatchObject({ amount: 50 });
    await sweep(portal.deps);
    await expectBalanced();
  });

  test('sends nothing to the provider that would make it mail, or merge two payments', async () => {
    const made = await makeInvoice(db());
    await guestPays(made, { email: 'quiet@example.com' });
    const charge = await lastCharge();
    const row = (await emulator.ledger()).find(({ orderid }) => orderid === charge?.orderId);
    const seen = await emulator.callAs('portal', 'GET', `/transactions/${row?.key}`);
    expect(row?.email).toBe('');
    expect(seen.invoice).toBe(String(made.workOrderNumber));
    expect(seen.description).toBe(`${made.franchiseId}/${made.workOrderNumber};`);
    expect(charge?.orderId.length).toBeLessThanOrEqual(32);
  });
});

describe('a payment that is refused leaves nothing behind', () => {
  const TOO_LONG = 'x'.repeat(501);
  test.each([
    ['no franchise', { franchiseId: undefined }],
    ['a franchise that is a word', { franchiseId: 'one' }],
    ['a franchise that is a list', { franchiseId: [1] }],
    ['a negative work order', { workOrderNumber: -1 }],
    ['a work order with decimals', { workOrderNumber: 1.5 }],
    ['no first name', { firstName: ' ' }],
    ['no last name', { lastName: undefined }],
    ['no street', { address: '' }],
    ['no city', { city: null }],
    ['no state', { state: undefined }],
    ['no postal code', { postalCode: '' }],
    ['a name that is too long', { firstName: 'x'.repeat(101) }],
    ['a name with a NUL', { firstName: 'A\u0000na' }],
    ['an address line of the wrong type', { address2: 7 }],
    ['no payment key', { paymentKey: '' }],
    ['a payment key of the wrong type', { paymentKey: { key: 'x' } }],
    ['an email that is none', { email: 'nobody' }],
    ['a card number in an email', { email: '4000100011112224@example.com' }],
    ['a negative tip', { tipAmount: -1 }],
    ['a tip with three decimals', { tipAmount: 1.005 }],
    ['a tip that is a word', { tipAmount: 'lots' }],
    ['a tip that is not a number', { tipAmount: 'NaN' }],
    ['a tip with an exponent', { tipAmount: '1e3' }],
    ['a huge tip', { tipAmount: 100_000_000 }],
    ['a total that is too large', { tipAmount: 99_999 }],
    ['services without a note', { additionalServiceAmount: 5 }],
    ['a note that is too long', { additionalServiceAmount: 5, additionalServicesNote: TOO_LONG }],
    ['services with three decimals', { additionalServiceAmount: 0.001, additionalServicesNote: 'x' }],
    ['services of the wrong type', { additionalServiceAmount: {}, additionalServicesNote: 'x' }],
    ['a total of nothing', { additionalServiceAmount: -108.25, additionalServicesNote: 'x' }],
    ['a total below nothing', { additionalServiceAmount: -500, additionalServicesNote: 'x', tipAmount: 600 }],
    ['terms that are not accepted', { legalAccepted: false }],
    ['terms that are not mentioned', { legalAccepted: undefined }],
    ['a receipt box of the wrong type', { sendReceipt: 'maybe' }],
    ['an amount of its own', { amount: 1 }],
    ['a balance of its own', { balanceDue: 1 }],
    ['an unknown field', { color: 'blue' }],
  ])('with %s: 400 in the problem shape', async (_, fields) => {
    const made = await makeInvoice(db());
    const before = await countIntents();
    const answer = await guestPays(made, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      title: 'Bad Request',
      status: 400,
      detail: expect.stringMatching(/^[A-Z].+/),
      errors: expect.any(Array),
    });
    expect(await countIntents()).toBe(before);
    expect(await balanceOf(made.invoiceId)).toBe(108_25);
  });

  test.each([
    ['firstName', '4000100011112224', 'first name'],
    ['lastName', 'Ruiz 4000 1000 1111 2224', 'last name'],
    ['address', '4000-1000-1111-2224', 'street'],
    ['address2', '378282246310005', 'second address line'],
    ['city', '5555 4444 3333 2226', 'city'],
    ['postalCode', '4000100011112224', 'postal code'],
    ['state', '4000 1000 1111 2224', 'state'],
    ['phone', '4000 1000 1111 2224', 'phone number'],
    ['email', '4000100011112224@example.com', 'email address'],
    ['additionalServicesNote', 'use 4000 1000 1111 2224 12/30', 'note'],
    ['paymentKey', '4000100011112224', 'card details'],
  ])('with a card number for %s, which is not repeated', async (field, text, name) => {
    const made = await makeInvoice(db());
    const before = await countIntents();
    const answer = await guestPays(made, { [field]: text });
    expect(answer.statusCode).toBe(400);
    const description = `Please take the card number out of your ${name}.`;
    expect(answer.json()).toMatchObject({
      detail: description,
      errors: [{ code: 'CardDataNotAllowed', description, field }],
    });
    expect(answer.body).not.toContain(text);
    expect(await countIntents()).toBe(before);
  });

  test.each([
    ['{"franchiseId":', 400],
    ['[]', 400],
    ['null', 400],
    ['"text"', 400],
  ])('with the body %s', async (payload, status) => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/usaepay/guestsale',
      headers: { 'x-apisecret': 'test-api-secret', 'content-type': 'application/json' },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, detail: expect.any(String) });
  });

  test('without the shared secret', async () => {
    const answer = await portal.app.inject({ method: 'POST', url: '/api/usaepay/guestsale', payload: {} });
    expect(answer.statusCode).toBe(401);
  });

  test('with a tip where none are taken', async () => {
    const made = await makeInvoice(db(), { tipsEnabled: false });
    const answer = await guestPays(made, { tipAmount: 1 });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe(`Tips are not possible for work order ${made.workOrderNumber}.`);
  });

  test('with a credit beyond what the franchise allows', async () => {
    const made = await makeInvoice(db());
    await db().update(franchise).set({ maxCreditPercent: 10 }).where(eq(franchise.id, made.franchiseId));
    const credit = (amount: number) =>
      guestSale(emulator, made, { additionalServiceAmount: amount, additionalServicesNote: 'x' });
    expect((await payAsGuest(portal, await credit(-11))).json().detail).toContain('at most 10%');
    expect((await payAsGuest(portal, await credit(-10))).statusCode).toBe(200);
  });

  test('for a work order that is not there', async () => {
    const made = await makeInvoice(db());
    const answer = await guestPays({ ...made, workOrderNumber: 9 });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe('Invoice not found. Please check your information and try again.');
  });

  test('for an invoice that is paid already', async () => {
    const made = await makeInvoice(db());
    await guestPays(made);
    const answer = await guestPays(made);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe(`Work order ${made.workOrderNumber} is already paid.`);
  });

  test.each(['a key with spaces', 'x'.repeat(201), ''])('with the idempotency key %j', async (key) => {
    const made = await makeInvoice(db());
    const answer = await guestPays(made, { headers: { 'idempotency-key': key } });
    expect(answer.statusCode).toBe(400);
  });
});

describe('an invoice of another version than the payer saw', () => {
  test('is not paid, and the answer says what is due now', async () => {
    const made = await makeInvoice(db());
    await db().update(invoice).set({ amountCents: 90_00 }).where(eq(invoice.id, made.invoiceId));
    const before = await countIntents();
    const answer = await guestPays(made, { headers: { 'if-match': '"1"' } });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().detail).toContain('$90.00');
    expect(answer.json().errors).toMatchObject([{ code: 'InvoiceChanged' }]);
    expect(await countIntents()).toBe(before);
    const again = await guestPays(made, { headers: { 'if-match': '"2"' } });
    expect(again.json()).toMatchObject({ amount: 90 });
  });

  test('that changed while the provider was asked is not paid, and the hold is released', async () => {
    const made = await makeInvoice(db());
    const goOn = await emulator.hold();
    const paying = guestPays(made);
    await expect.poll(async () => (await lastCharge())?.state).toBe('authorising');
    await db().update(invoice).set({ amountCents: 120_00 }).where(eq(invoice.id, made.invoiceId));
    await goOn();
    const answer = await paying;
    expect(answer.statusCode).toBe(409);
    expect(answer.json().detail).toContain('$120.00 is due now');
    expect(answer.json().errors).toMatchObject([NOT_CHARGED, { code: 'InvoiceChanged' }]);
    await sweep(portal.deps);
    expect((await lastCharge())?.state).toBe('released');
    await expectBalanced();
  });
});

describe('a card that does not pay', () => {
  test.each([
    ['4000300611112224', 'Insufficient funds (F51). Your card was not charged.'],
    ['4000300211112228', 'Do not Honor (F05). Your card was not charged.'],
    ['4000300011112220', 'Card Declined (F). Your card was not charged.'],
    ['4000301311112225', 'Declined for CVV failure (F97). Your card was not charged.'],
  ])(
    '%s is declined in the provider’s words, and another card can be tried at once',
    async (card, detail) => {
      const made = await makeInvoice(db());
      const declined = await guestPays(made, { card });
      expect(declined.statusCode).toBe(400);
      expect(declined.json()).toMatchObject({ detail, errors: [NOT_CHARGED, { code: 'Declined' }] });
      expect(await balanceOf(made.invoiceId)).toBe(108_25);
      expect((await lastCharge())?.state).toBe('refused');
      const paid = await guestPays(made);
      expect(paid.statusCode).toBe(200);
      await sweep(portal.deps);
      await expectBalanced();
    },
  );

  test.each([
    [{ fault: 'partial' }, 400, 'could not be charged in full'],
    [{ fault: 'verify' }, 400, 'needs verification by your bank'],
    [{ fault: 'error' }, 400, 'needs verification by your bank'],
    [{ fault: 'wrong', answer: { auth_amount: '1.00' } }, 400, 'could not be charged in full'],
    [{ fault: 'duplicate' }, 503, 'Your card was not charged. Please try again. A pending amount'],
    [{ fault: 'duplicate-other' }, 503, 'Your card was not charged. Please try again. A pending amount'],
    [{ fault: 'reset', when: 'after' }, 503, 'Your card was not charged. Please try again. A pending amount'],
    [
      { fault: 'reset', when: 'before' },
      503,
      'Your card was not charged. Please try again. A pending amount',
    ],
    [{ fault: 'status', status: 500, when: 'after' }, 503, 'Your card was not charged.'],
    [{ fault: 'duplicate-keys', when: 'after' }, 503, 'Your card was not charged.'],
    [{ fault: 'wrong', answer: { result_code: 'Q' } }, 503, 'Your card was not charged.'],
    [{ fault: 'status', status: 429 }, 503, 'Your card was not charged. Please try again.'],
    [{ fault: 'status', status: 401 }, 503, 'Your card was not charged. Please try again.'],
  ])(
    'because the provider answers %j: the truth is told, and no hold stays',
    async (fault, status, detail) => {
      const made = await makeInvoice(db());
      await emulator.script({ ...fault, command: 'authonly' });
      const answer = await guestPays(made);
      expect(answer.statusCode).toBe(status);
      expect(answer.json().detail).toContain(detail);
      expect(answer.json().errors[0]).toEqual(NOT_CHARGED);
      expect(await balanceOf(made.invoiceId)).toBe(108_25);
      const abandoned = (await lastCharge())?.orderId;
      const paid = await guestPays(made);
      expect(paid.statusCode).toBe(200);
      await sweepAll();
      const charges = await chargesOf(portal.deps);
      const ended = charges.find((charge) => charge.orderId === abandoned);
      expect(['released', 'absent', 'refused']).toContain(ended?.state);
      await expectBalanced();
    },
  );

  test('after three declines of one invoice the payer has to wait, and nobody else', async () => {
    const made = await makeInvoice(db());
    const card = '4000300611112224';
    const payFrom = async (remoteAddress: string, options: { card?: string } = {}) =>
      portal.app.inject({
        method: 'POST',
        url: '/api/usaepay/guestsale',
        headers: { 'x-apisecret': 'test-api-secret' },
        remoteAddress,
        payload: await guestSale(emulator, made, options),
      });
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await payFrom('192.0.2.1', { card })).statusCode).toBe(400);
    }
    const waiting = await payFrom('192.0.2.1');
    expect(waiting.statusCode).toBe(429);
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
    expect((await payFrom('192.0.2.2')).statusCode).toBe(200);
  });

  test('forty stolen cards at once get hardly further than one after another', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () =>
        portal.app.inject({
          method: 'POST',
          url: '/api/usaepay/guestsale',
          headers: { 'x-apisecret': 'test-api-secret' },
          remoteAddress: '192.0.2.3',
          payload: await guestSale(emulator, await makeInvoice(db()), { card: '4000300611112224' }),
        }),
      ),
    );
    const declined = answers.filter((answer) => answer.statusCode === 400);
    expect(declined.length).toBeGreaterThanOrEqual(10);
    expect(declined.length).toBeLessThanOrEqual(13);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(40 - declined.length);
  });
});

test('ten missing work orders make the next attempt wait', async () => {
  const made = await makeInvoice(db());
  const payFrom = async (workOrderNumber: number) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/usaepay/guestsale',
      headers: { 'x-apisecret': 'test-api-secret' },
      remoteAddress: '192.0.2.7',
      payload: await guestSale(emulator, { ...made, workOrderNumber }),
    });
  for (let guess = 1; guess <= 10; guess++) expect((await payFrom(guess)).statusCode).toBe(404);
  expect((await payFrom(made.workOrderNumber)).statusCode).toBe(429);
});

describe('a provider that keeps failing', () => {
  test('is left alone before anything is claimed, but for one payment at a time', async () => {
    const app = portal;
    await emulator.script({ fault: 'reset', when: 'before', command: 'authonly', times: 5 });
    for (let attempt = 1; attempt <= 5; attempt++) {
      const made = await makeInvoice(db());
      expect((await payAsGuest(app, await guestSale(emulator, made))).statusCode).toBe(503);
    }
    const before = await countIntents();
    const bodies = await Promise.all(
      Array.from({ length: 4 }, async () => guestSale(emulator, await makeInvoice(db()))),
    );
    // The payment that is let through stays in progress until the others have been turned away.
    await emulator.script({ fault: 'slow', command: 'authonly' });
    const answers: Awaited<ReturnType<typeof payAsGuest>>[] = [];
    const paying = bodies.map(async (body) => answers.push(await payAsGuest(app, body)));
    await expect.poll(() => answers.length).toBe(3);
    expect(answers.map((answer) => answer.json().errors[0].code)).toEqual(Array(3).fill('ProviderFailing'));
    await expect.poll(() => emulator.resumeSlowCalls()).toBe(1);
    await Promise.all(paying);
    expect(answers.at(-1)?.statusCode).toBe(200);
    expect(await countIntents()).toBe((before ?? 0) + 1);
    const healthy = await payAsGuest(app, await guestSale(emulator, await makeInvoice(db())));
    expect(healthy.statusCode).toBe(200);
    await sweepAll();
    await expectBalanced();
  });
});

describe('exactly one', () => {
  test('of twenty who pay an invoice at the same time', async () => {
    const made = await makeInvoice(db());
    const bodies = await Promise.all(Array.from({ length: 20 }, () => guestSale(emulator, made)));
    const before = await capturedRows();
    const answers = await Promise.all(bodies.map((body) => payAsGuest(portal, body)));
    const winners = answers.filter((answer) => answer.statusCode === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers) {
      if (answer.statusCode === 200) continue;
      const number = made.workOrderNumber;
      const expected =
        answer.statusCode === 400
          ? `Work order ${number} is already paid.`
          : `A payment for work order ${number} is already in progress.`;
      expect([400, 409]).toContain(answer.statusCode);
      expect(answer.json().detail).toBe(expected);
    }
    await sweep(portal.deps);
    expect((await capturedRows()) - before).toBe(1);
    await expectBalanced();
  });

  test('of a double click: both get the same answer', async () => {
    const made = await makeInvoice(db());
    const [first, second] = [await guestSale(emulator, made), await guestSale(emulator, made)];
    const headers = { 'idempotency-key': `double-${made.workOrderNumber}` };
    const answers = await Promise.all([
      payAsGuest(portal, first, headers),
      payAsGuest(portal, second, headers),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
    const replayed = answers.map((answer) => answer.headers['idempotency-replayed']);
    expect(replayed.sort()).toEqual(['true', undefined]);
    await sweep(portal.deps);
    await expectBalanced();
  });

  test('of one payment key that is sent twice', async () => {
    const made = await makeInvoice(db());
    const body = await guestSale(emulator, made);
    const first = await payAsGuest(portal, body);
    const again = await payAsGuest(portal, body);
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('of one idempotency key: another body gets 422, and another work order ignores it', async () => {
    const [made, other] = [await makeInvoice(db()), await makeInvoice(db())];
    const headers = { 'idempotency-key': 'reused' };
    await guestPays(made, { headers });
    const changed = await guestPays(made, { tipAmount: 3, headers });
    expect(changed.statusCode).toBe(422);
    expect((await guestPays(other, { headers })).statusCode).toBe(200);
  });

  test('of a payment whose answer was lost: Pay again says what happened, a new key pays', async () => {
    const made = await makeInvoice(db());
    const headers = { 'idempotency-key': `lost-${made.workOrderNumber}` };
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    const lost = await guestPays(made, { headers });
    const pressedAgain = await guestPays(made, { headers });
    expect(pressedAgain.json()).toEqual(lost.json());
    expect(pressedAgain.headers['idempotency-replayed']).toBe('true');
    const paid = await guestPays(made, { headers: { 'idempotency-key': 'new' } });
    expect(paid.statusCode).toBe(200);
    await sweepAll();
    await expectBalanced();
  });

  test('while one is in progress: the other hears so, and the same key gets 409 after a while', async () => {
    const made = await makeInvoice(db());
    const headers = { 'idempotency-key': `slow-${made.workOrderNumber}` };
    const goOn = await emulator.hold();
    const paying = guestPays(made, { headers });
    await expect.poll(async () => (await lastCharge())?.state).toBe('authorising');
    const other = await guestPays(made);
    expect(other.statusCode).toBe(409);
    expect(other.json().detail).toBe(
      `A payment for work order ${made.workOrderNumber} is already in progress.`,
    );
    const same = await guestPays(made, { headers });
    expect(same.statusCode).toBe(409);
    expect(same.headers['retry-after']).toBe('2');
    expect(same.json().detail).toBe(
      'This payment is still being made. Press Pay again in a moment to check; you will not be charged twice.',
    );
    await goOn();
    expect((await paying).statusCode).toBe(200);
    await sweep(portal.deps);
    await expectBalanced();
  });
});

test('a payer who waited for an invoice hears what became of it meanwhile, and is not charged', async () => {
  const made = await makeInvoice(db());
  const body = await guestSale(emulator, made);
  const before = (await emulator.ledger()).length;
  let paying: ReturnType<typeof payAsGuest> | undefined;
  await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM invoice WHERE id = ${made.invoiceId} FOR UPDATE`);
    paying = payAsGuest(portal, body);
    await expect.poll(waitingForLocks).toBe(1);
    await receiveElsewhere(tx, { invoiceId: made.invoiceId, receivedCents: 108_25 });
  });
  const answer = await paying;
  expect(answer?.json().detail).toBe(`Work order ${made.workOrderNumber} is already paid.`);
  expect((await emulator.ledger()).length).toBe(before);
  await expectBooksBalanced(portal.deps, emulator, { swept: false });
});

async function waitingForLocks(): Promise<number | undefined> {
  const { rows } = await db().execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.count;
}

describe('a payment whose process is gone', () => {
  test('blocks the next payer only until its deadline', async () => {
    const gone = await makeCharge(portal.deps, { state: 'authorising' });
    const [row] = await db().select().from(invoice).where(eq(invoice.id, gone.invoiceId));
    if (!row) throw new Error('no invoice');
    const early = await guestPays({ ...row, zipCode: '62704' });
    expect(early.statusCode).toBe(409);
    await advanceEngineClock(portal.deps, 26);
    const answer = await guestPays(row);
    expect(answer.statusCode).toBe(200);
    await sweepAll();
    const charges = await chargesOf(portal.deps);
    expect(charges.find((charge) => charge.id === gone.chargeId)?.state).toBe('absent');
    await expectBalanced();
  });
});
