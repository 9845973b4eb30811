import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { sweep } from '../../../test/books/sweep.ts';
import { call, TEST_SECRETS } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import {
  adopterOf,
  freshPayer,
  giveOffer,
  payWithOffer,
  registerByOffer,
  useOfferOf,
} from '../../../test/factories/offers.ts';
import { guestSale } from '../../../test/factories/payments/payments.ts';
import { makeUser, signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { keepLog } from '../../../test/kept-log.ts';
import { mailsTo, newestLink } from '../../../test/mail/mailbox.ts';
import { mannWhitneyP } from '../../../test/mann-whitney.ts';
import { importRows, officeRow, type Row } from '../../../test/office/office.ts';
import { usePayments } from '../../../test/use-payments.ts';
import { customer, location } from '../../db/schema/franchises.ts';

const kept = keepLog();
const payments = usePayments(() => ({ TRUST_PROXY: '1' }), { log: kept.log });
const { emulator, portal, db, guestPays, sweepAll } = payments;
const SURELY_DIFFERENT = 1e-5;

beforeEach(async () => {
  await db().execute('DELETE FROM limit_counter');
});

const pay = (given: Parameters<typeof payWithOffer>[1] = {}) => payWithOffer(payments, given);
const locationsOf = async (token: string) => (await call(portal, 'GET', '/user/location', { token })).json();
const signIn = (email: string, password = TEST_PASSWORD) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password } });
const confirm = async (email: string) =>
  call(portal, 'POST', '/user/confirm', {
    body: { email, token: (await newestLink(portal, email)).token },
  });

const INVALID_TOKEN = { status: 400, errors: [{ code: 'InvalidToken' }] };

/** Expects that an offer can neither be viewed, registered with nor used. */
async function expectWorthNothing(offer: string): Promise<void> {
  const user = await signInUser(portal);
  expect((await giveOffer(portal, offer)).json()).toMatchObject(INVALID_TOKEN);
  expect((await registerByOffer(portal, offer)).json()).toMatchObject(INVALID_TOKEN);
  expect((await useOfferOf(portal, offer, user)).json()).toMatchObject(INVALID_TOKEN);
  expect(await locationsOf(user.token)).toEqual([]);
}

describe('no offer is made', () => {
  test.each([
    ['no zip code', undefined],
    ['an empty one', ''],
    ['a wrong one', '62705'],
  ])('for a payment with %s', async (_what, zipCode) => {
    const made = await makeInvoice(db());
    const answer = await guestPays(made, { zipCode });
    expect(answer.json()).toEqual({ amount: 108.25, reference: expect.any(String) });
  });

  test('for a payment of an invoice without a zip code', async () => {
    const made = await makeInvoice(db(), { zipCode: '' });
    for (const zipCode of ['', '-']) {
      const answer = await guestPays(made, { zipCode, headers: { 'idempotency-key': 'no-zip-code-at-all' } });
      expect(answer.json()).toEqual({ amount: 108.25, reference: expect.any(String) });
    }
  });

  test('for a replay that names the zip code later: what counts is what was proved at the beginning', async () => {
    const made = await makeInvoice(db());
    const press = (zipCode: string | undefined) =>
      guestPays(made, { zipCode, headers: { 'idempotency-key': `later-${made.workOrderNumber}` } });
    const first = (await press(undefined)).json();
    for (const zipCode of ['62704', '62705']) expect((await press(zipCode)).json()).toEqual(first);
  });
});

test('guessing the zip code through payments: declines reveal nothing, and misses are limited', async () => {
  const made = await makeInvoice(db());
  const from = (remoteAddress: string, payload: object) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/usaepay/guestsale',
      headers: { 'x-apisecret': TEST_SECRETS.apiSecret },
      remoteAddress,
      payload,
    });
  const declined: string[] = [];
  for (const [index, zipCode] of ['62704', '62705'].entries()) {
    const sale = await guestSale(emulator, made, { zipCode, card: '4000300611112224' });
    const { requestId: _, ...answer } = (await from(`192.0.2.${50 + index}`, sale)).json();
    declined.push(JSON.stringify(answer));
  }
  expect(declined[0]).toContain('Declined');
  expect(declined[1]).toBe(declined[0]);
  // Each guess costs a payment in full; a declined card counts as a missed look-up.
  const answers: number[] = [];
  for (let guess = 0; guess < 15; guess++) {
    const sale = await guestSale(emulator, made, { zipCode: String(10_000 + guess), tipAmount: 99_950 });
    answers.push((await from('192.0.2.60', sale)).statusCode);
  }
  expect(answers.filter((status) => status === 404).length).toBeLessThanOrEqual(10);
  expect(answers.at(-1)).toBe(429);
  await sweepAll();
});

describe('a token is refused', () => {
  test.each<[string, (offer: string, other: string) => string]>([
    ['altered at its end', (offer) => `${offer.slice(0, -2)}${offer.endsWith('AA') ? 'BB' : 'AA'}`],
    ['of another payment', (offer, other) => [other.split('.')[0], ...offer.split('.').slice(1)].join('.')],
    ['of another location', (offer) => offer.replace(/\.\d+\./, '.1.')],
    ['of another zip code', (offer, other) => offer.replace(/(?<=\.\d+\.)[^.]+/, other.split('.')[2] ?? '')],
    ['cut short', (offer) => offer.slice(0, offer.lastIndexOf('.'))],
    ['with more behind it', (offer) => `${offer}.x`],
  ])('%s', async (what, change) => {
    const { offer } = await pay();
    const other = await pay({ zipCode: '10001' });
    const altered = change(offer, other.offer);
    expect(altered, what).not.toBe(offer);
    await expectWorthNothing(altered);
    expect((await giveOffer(portal, offer)).statusCode).toBe(200);
  });

  test('half an hour after the payment, even if a replay minted it then', async () => {
    const { offer, press } = await pay();
    await advanceEngineClock(portal.deps, 29 * 60);
    const later = (await press()).json().offer;
    expect((await giveOffer(portal, later)).statusCode).toBe(200);
    await advanceEngineClock(portal.deps, 2 * 60);
    expect((await press()).json().offer).toBeUndefined();
    await expectWorthNothing(offer);
    await expectWorthNothing(later);
  });

  test('if another account used it', async () => {
    const { offer } = await pay();
    await useOfferOf(portal, offer, await signInUser(portal));
    await expectWorthNothing(offer);
  });

  test('if two accounts use it at once: one wins', async () => {
    const { offer } = await pay();
    const users = [await signInUser(portal), await signInUser(portal)];
    const answers = await Promise.all(users.map((user) => useOfferOf(portal, offer, user)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 400]);
    const seen = await Promise.all(users.map(({ token }) => locationsOf(token)));
    expect(seen.map((locations) => locations.length).toSorted()).toEqual([0, 1]);
  });

  test('beyond sixty wrong ones a minute, if it is wrong', async () => {
    const { offer } = await pay();
    for (let wrong = 0; wrong < 60; wrong++) await giveOffer(portal, `${wrong}`);
    const wrong = `${offer}x`;
    expect((await giveOffer(portal, wrong)).statusCode).toBe(429);
    expect((await registerByOffer(portal, wrong)).statusCode).toBe(429);
  });
});

/** An imported invoice, paid by a guest with its zip code. */
async function payImported() {
  const row = officeRow();
  await importRows(portal, [row]);
  const numbers = { franchiseId: Number(row.franchiseId), workOrderNumber: Number(row.workOrderNumber) };
  const headers = { 'idempotency-key': `key-${row.workOrderNumber}` };
  const press = () => guestPays({ ...numbers, zipCode: row.zipCode }, { headers });
  const { offer } = (await press()).json();
  await sweep(portal.deps);
  return { row, press, offer };
}

describe('an import comes in between:', () => {
  test.each<[string, (row: Row) => Partial<Row>]>([
    ['the invoice is moved to another location', (row) => ({ locationId: `${row.locationId}1` })],
    ['the zip code is corrected', () => ({ zipCode: '10001' })],
    [
      'the location is another customer’s',
      (row) => ({ locationId: `${row.locationId}2`, customerNumber: `${row.customerNumber}2` }),
    ],
  ])('%s', async (_what, change) => {
    const { row, press, offer } = await payImported();
    expect((await giveOffer(portal, offer)).statusCode).toBe(200);
    expect((await importRows(portal, [{ ...row, ...change(row) }])).statusCode).toBe(200);
    await expectWorthNothing(offer);
    // A replay doesn't offer it either.
    expect((await press()).json().offer).toBeUndefined();
  });

  test('and the first sign-in adds nothing', async () => {
    const { row, offer } = await payImported();
    const person = freshPayer();
    await registerByOffer(portal, offer, person);
    await confirm(person.email);
    await importRows(portal, [{ ...row, zipCode: '10001' }]);
    const { accessToken } = (await signIn(person.email)).json();
    expect(await locationsOf(accessToken)).toEqual([]);
  });

  test('a location that passed to another customer cannot be had by the former one’s invoice', async () => {
    const { made, offer } = await pay();
    const [next] = await db()
      .insert(customer)
      .values({ franchiseId: made.franchiseId, number: 77, name: 'The next one' })
      .returning({ id: customer.id });
    await db()
      .update(location)
      .set({ customerId: next?.id ?? 0 })
      .where(eq(location.id, made.locationId));
    await db().execute(sql`
      UPDATE invoice SET former_customer_id = ${made.customerId} WHERE id = ${made.invoiceId}`);
    await expectWorthNothing(offer);
  });
});

test('a payment that could not be collected offers nothing', async () => {
  const { made, offer, press } = await pay({ isSwept: false });
  const person = freshPayer();
  await registerByOffer(portal, offer, person);
  await confirm(person.email);
  expect((await giveOffer(portal, offer)).statusCode).toBe(200);
  const { rows } = await db().execute<{ orderId: string }>(sql`
    SELECT c.order_id AS "orderId" FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
     WHERE a.invoice_id = ${made.invoiceId}`);
  const held = (await emulator.ledger()).find(({ orderid }) => orderid === rows[0]?.orderId);
  await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: held?.key });
  await sweep(portal.deps);
  await advanceEngineClock(portal.deps, 61);
  await sweep(portal.deps);
  await expectWorthNothing(offer);
  expect((await press()).statusCode).toBe(409);
  const { accessToken } = (await signIn(person.email)).json();
  expect(await locationsOf(accessToken)).toEqual([]);
});

describe('a mistyped mailbox', () => {
  test('whose owner confirms and sets another password gives an empty account', async () => {
    const { made, offer } = await pay();
    const person = freshPayer();
    await registerByOffer(portal, offer, person);
    await confirm(person.email);
    await call(portal, 'POST', `/user/resetpassword?email=${encodeURIComponent(person.email)}`);
    const { token: passwordToken } = await newestLink(portal, person.email);
    const password = 'the words of another person';
    const reset = await call(portal, 'POST', '/user/confirmresetpassword', {
      body: { email: person.email, passwordToken, password },
    });
    expect(reset.statusCode).toBe(204);
    const { accessToken } = (await signIn(person.email, password)).json();
    expect(await locationsOf(accessToken)).toEqual([]);
    expect((await call(portal, 'GET', '/user/payments', { token: accessToken })).json().items).toEqual([]);
    expect(await adopterOf(db(), made)).toBeUndefined();
    // The payer can still use it.
    expect((await useOfferOf(portal, offer, await signInUser(portal))).statusCode).toBe(204);
  });

  test('whose owner signs up again gives an empty account', async () => {
    const { offer } = await pay();
    const person = freshPayer();
    await registerByOffer(portal, offer, person);
    const { password: _, ...details } = person;
    const password = 'the words of another person';
    const body = { ...details, password, userType: 2 };
    expect((await call(portal, 'POST', '/user/register', { body })).statusCode).toBe(204);
    await confirm(person.email);
    expect((await signIn(person.email)).statusCode).toBe(401);
    const { accessToken } = (await signIn(person.email, password)).json();
    expect(await locationsOf(accessToken)).toEqual([]);
  });
});

test('a stranger’s offer tells its victim which address it is about, needs a press, and sends a mail', async () => {
  const { made, offer } = await pay();
  const victim = await signInUser(portal);
  const shown = (await giveOffer(portal, offer)).json();
  expect(shown).toMatchObject({ addressLine1: 'Maple Street 12', city: 'Springfield' });
  expect(await locationsOf(victim.token)).toEqual([]);
  const withoutSession = await call(portal, 'POST', '/user/offer', { body: { token: offer } });
  expect(withoutSession.statusCode).toBe(401);
  await useOfferOf(portal, offer, victim);
  const [mail] = await mailsTo(portal, victim.email);
  expect(mail?.content.subject).toBe('A location was added to your account');
  expect(mail?.content.text).toContain('Maple Street 12, Springfield, IL');
  expect(await adopterOf(db(), made)).toMatchObject({ userId: victim.userId });
});

test('the next user of a shared computer finds nothing: half an hour, and one use', async () => {
  const { offer } = await pay();
  const person = freshPayer();
  await registerByOffer(portal, offer, person);
  await confirm(person.email);
  await signIn(person.email);
  await expectWorthNothing(offer);
  const unused = await pay();
  await advanceEngineClock(portal.deps, 31 * 60);
  await expectWorthNothing(unused.offer);
});

test('a closed account’s offer is gone, and cannot be used for one', async () => {
  const [{ offer }, second] = [await pay(), await pay()];
  const user = await signInUser(portal);
  await db().execute(sql`
    INSERT INTO account_offer (user_id, intent_id, location_id, zip_key, expires_at)
    SELECT ${user.userId}, p.id, ${second.made.locationId}, '62704', engine_now() + interval '7 days'
      FROM payment_intent p WHERE p.idem_key = ${`key-${second.made.workOrderNumber}`}`);
  const [closed, used] = await Promise.all([
    call(portal, 'POST', '/user/close', { token: user.token, body: { password: TEST_PASSWORD } }),
    useOfferOf(portal, offer, user),
  ]);
  expect(closed.statusCode).toBe(204);
  expect([204, 401]).toContain(used.statusCode);
  expect((await db().execute(sql`SELECT FROM account_offer WHERE user_id = ${user.userId}`)).rows).toEqual(
    [],
  );
  expect((await db().execute(sql`SELECT FROM visible_location WHERE user_id = ${user.userId}`)).rows).toEqual(
    [],
  );
});

test('no token is in the log, nor in a row of the database', async () => {
  kept.clear();
  const { offer, press } = await pay();
  const user = await signInUser(portal);
  await giveOffer(portal, offer);
  await giveOffer(portal, `${offer}x`);
  await registerByOffer(portal, offer);
  await useOfferOf(portal, offer, user);
  await useOfferOf(portal, `${offer}x`, user);
  await press();
  const log = kept.lines.join('\n');
  expect(log).toContain('offer used');
  const mac = offer.slice(offer.lastIndexOf('.') + 1);
  const digest = offer.split('.')[2] ?? '';
  for (const secret of [offer, mac, digest]) expect(log).not.toContain(secret);
  const { rows: tables } = await db().execute<{ name: string }>(sql`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'`);
  for (const { name } of tables) {
    const { rows } = await db().execute(
      sql`SELECT FROM ${sql.raw(`"${name}"`)} t WHERE strpos(to_jsonb(t)::text, ${mac}) > 0`,
    );
    expect(rows, name).toEqual([]);
  }
});

describe('an account’s existence is not revealed', () => {
  test('by a worthless token: taken and free addresses get the same answer, as fast', async () => {
    const times: Record<'taken' | 'free', number[]> = { taken: [], free: [] };
    const bodies = new Set<string>();
    for (let turn = 0; turn < 200; turn++) {
      const kind = turn % 2 === 0 ? 'taken' : 'free';
      // Do the same work before each attempt, or caches would favor one kind.
      const taken = await makeUser(portal);
      const { email } = kind === 'taken' ? taken : freshPayer();
      if (turn % 20 === 0) await db().execute('DELETE FROM limit_counter');
      const start = performance.now();
      const answer = await registerByOffer(portal, 'made up', { email });
      times[kind].push(performance.now() - start);
      const { requestId: _, ...body } = answer.json();
      bodies.add(JSON.stringify(body));
    }
    expect(bodies.size).toBe(1);
    expect(mannWhitneyP(times.taken, times.free)).toBeGreaterThan(SURELY_DIFFERENT);
  }, 120_000);

  test('more than twenty times a minute by a valid one, as in registering', async () => {
    const { offer } = await pay();
    const answers: number[] = [];
    for (let guess = 0; guess < 25; guess++) {
      const { email } = await makeUser(portal);
      answers.push((await registerByOffer(portal, offer, { email })).statusCode);
    }
    expect(answers.filter((status) => status === 400)).toHaveLength(20);
    expect(answers.slice(20)).toEqual([429, 429, 429, 429, 429]);
  }, 120_000);
});
