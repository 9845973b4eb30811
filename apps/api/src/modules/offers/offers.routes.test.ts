import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { sweep } from '../../../test/books/sweep.ts';
import { call } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import {
  adopterOf,
  freshPayer,
  giveOffer,
  payWithOffer,
  registerByOffer,
  useOfferOf,
} from '../../../test/factories/offers.ts';
import { addCard, payAsCustomer, portalSale } from '../../../test/factories/unpaid-invoices.ts';
import { linkLocation, makeUser, signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { mailsTo, newestLink } from '../../../test/mail/mailbox.ts';
import { usePayments } from '../../../test/use-payments.ts';
import { useUpWrongLinks } from '../../../test/wrong-links.ts';
import { paymentIntent } from '../../db/schema/payments.ts';
import { forgetExpired } from '../auth/users/forget-expired.ts';

const payments = usePayments();
const { emulator, portal, db, guestPays } = payments;
const DAY_SECONDS = 86_400;

beforeEach(async () => {
  await db().execute('DELETE FROM limit_counter');
});

const pay = (given: Parameters<typeof payWithOffer>[1] = {}) => payWithOffer(payments, given);
const signIn = (email: string, password = TEST_PASSWORD) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password } });
const confirm = async (email: string) =>
  call(portal, 'POST', '/user/confirm', {
    body: { email, token: (await newestLink(portal, email)).token },
  });
const locationsOf = async (token: string) =>
  (await call(portal, 'GET', '/user/location', { token }))
    .json()
    .map((each: { locationId: number }) => each.locationId);
const kindsTo = async (email: string) => (await mailsTo(portal, email)).map(({ kind }) => kind);

const INVALID_TOKEN = { status: 400, errors: [{ code: 'InvalidToken' }] };

describe('a guest’s payment', () => {
  test('with the right zip code is answered with an offer, and so is its replay', async () => {
    const { made, press } = await pay();
    const replay = await press();
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.json()).toEqual({
      amount: 108.25,
      reference: expect.any(String),
      offer: expect.any(String),
    });
    const [intent] = await db()
      .select()
      .from(paymentIntent)
      .where(eq(paymentIntent.idemKey, `key-${made.workOrderNumber}`));
    expect(intent).toMatchObject({ zipShown: true, zipKeyShown: '62704', locationShown: made.locationId });
    expect(JSON.stringify(intent)).not.toContain(replay.json().offer);
  });

  test('proves its zip code once: a replay with none, or with another, is the same replay', async () => {
    const { made, press } = await pay();
    const { offer, ...first } = (await press()).json();
    for (const zipCode of [undefined, '62705']) {
      const replay = await guestPays(made, {
        zipCode,
        headers: { 'idempotency-key': `key-${made.workOrderNumber}` },
      });
      expect(replay.json()).toEqual({ ...first, offer });
    }
  });

  test('by a signed-in payer gets none', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, ...made });
    const paymentMethodId = await addCard(portal, emulator, user);
    const answer = await payAsCustomer(portal, user.token, portalSale([made], { paymentMethodId }));
    expect(answer.json()).toEqual({
      amount: 108.25,
      references: [expect.any(String)],
      paymentId: expect.any(String),
    });
    await sweep(portal.deps);
  });

  test('that was adopted already gets none', async () => {
    const { offer, press } = await pay();
    await useOfferOf(portal, offer, await signInUser(portal));
    expect((await press()).json()).toEqual({ amount: 108.25, reference: expect.any(String) });
  });
});

test('an offer says what it is about, and until when', async () => {
  const { made, offer } = await pay();
  const [intent] = await db()
    .select()
    .from(paymentIntent)
    .where(eq(paymentIntent.idemKey, `key-${made.workOrderNumber}`));
  const answer = await giveOffer(portal, offer);
  expect(answer.statusCode).toBe(200);
  const { expiresAt, ...about } = answer.json();
  expect(about).toEqual({
    franchiseName: `Franchise ${made.franchiseId}`,
    workOrderNumber: made.workOrderNumber,
    addressLine1: 'Maple Street 12',
    city: 'Springfield',
  });
  expect(Date.parse(expiresAt) - (intent?.decidedAt?.getTime() ?? 0)).toBe(30 * 60_000);
});

test('an offer works where others have used up the tries', async () => {
  const { offer } = await pay();
  await useUpWrongLinks(portal);
  expect((await giveOffer(portal, `${offer}x`)).statusCode).toBe(429);
  expect((await giveOffer(portal, offer)).statusCode).toBe(200);
  expect((await registerByOffer(portal, offer)).statusCode).toBe(204);
  expect((await useOfferOf(portal, offer, await signInUser(portal))).statusCode).toBe(204);
});

describe('somebody who registers with an offer', () => {
  test('gets the location, its mail and the payment at the first sign-in, and not before', async () => {
    const { made, offer } = await pay();
    const person = freshPayer();
    expect((await registerByOffer(portal, offer, person)).statusCode).toBe(204);
    expect((await signIn(person.email)).json()).toMatchObject({ status: 401, detail: 'NotAllowed' });
    expect(await adopterOf(db(), made)).toBeUndefined();
    expect((await confirm(person.email)).statusCode).toBe(204);
    expect(await adopterOf(db(), made)).toBeUndefined();
    await advanceEngineClock(portal.deps, 3600);

    const { accessToken: token } = (await signIn(person.email)).json();
    expect(await locationsOf(token)).toEqual([made.locationId]);
    const { id: userId, ...user } = (await call(portal, 'GET', '/user', { token })).json();
    expect(user).toEqual({ email: person.email, firstName: 'Ana', lastName: 'Ruiz' });
    expect(await adopterOf(db(), made)).toEqual({ userId, through: 'page' });
    const listed = (await call(portal, 'GET', '/user/payments', { token })).json();
    expect(listed.items).toMatchObject([{ by: 'you', how: 'guest', receiptLink: expect.any(String) }]);
    await signIn(person.email);
    expect(await kindsTo(person.email)).toEqual(['location-linked', 'confirm-email']);
  });

  test('is told of a taken address and of a bad password as in registering', async () => {
    const { offer } = await pay();
    const { email } = await makeUser(portal);
    expect((await registerByOffer(portal, offer, { email })).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'DuplicateEmail', field: 'email' }],
    });
    for (const [password, code] of [
      ['short', 'PasswordTooShort'],
      ['password1', 'PasswordTooCommon'],
    ] as const) {
      expect((await registerByOffer(portal, offer, { password })).json()).toMatchObject({
        status: 400,
        errors: [{ code, field: 'password' }],
      });
    }
  });

  test('may register again under the right address: the first to sign in gets it', async () => {
    const { made, offer } = await pay();
    const [typo, person] = [freshPayer(), freshPayer()];
    for (const each of [typo, person]) {
      expect((await registerByOffer(portal, offer, each)).statusCode).toBe(204);
      await confirm(each.email);
    }
    await signIn(person.email);
    const { accessToken: token } = (await signIn(typo.email)).json();
    expect(await locationsOf(token)).toEqual([]);
    expect(await adopterOf(db(), made)).toMatchObject({ through: 'page' });
  });

  test('has seven days to sign in', async () => {
    const [early, late] = [await pay(), await pay()];
    const people = [freshPayer(), freshPayer()] as const;
    for (const [index, { offer }] of [early, late].entries()) {
      const person = people[index] ?? freshPayer();
      await registerByOffer(portal, offer, person);
      await confirm(person.email);
    }
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS - 600);
    await forgetExpired(portal.deps);
    const first = (await signIn(people[0].email)).json();
    expect(await locationsOf(first.accessToken)).toEqual([early.made.locationId]);
    await advanceEngineClock(portal.deps, 1200);
    const second = (await signIn(people[1].email)).json();
    expect(await locationsOf(second.accessToken)).toEqual([]);
  });

  test('leaves nothing behind without a sign-in or confirmation for seven days', async () => {
    const { offer } = await pay();
    const person = freshPayer();
    await registerByOffer(portal, offer, person);
    await confirm(person.email);
    await registerByOffer(portal, offer);
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    await forgetExpired(portal.deps);
    expect((await db().execute('SELECT user_id FROM account_offer')).rows).toEqual([]);
  });
});

describe('whoever is signed in', () => {
  test('adds the location by a press, with its mail and the payment', async () => {
    const { made, offer } = await pay();
    const user = await signInUser(portal);
    const answer = await useOfferOf(portal, offer, user);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(await locationsOf(user.token)).toEqual([made.locationId]);
    expect(await adopterOf(db(), made)).toEqual({ userId: user.userId, through: 'signed-in' });
    expect(await kindsTo(user.email)).toEqual(['location-linked']);
  });

  test('gets 204 again, even after the offer expired, and one mail', async () => {
    const { offer } = await pay();
    const user = await signInUser(portal);
    await useOfferOf(portal, offer, user);
    await advanceEngineClock(portal.deps, 31 * 60);
    expect((await useOfferOf(portal, offer, user)).statusCode).toBe(204);
    expect(await kindsTo(user.email)).toEqual(['location-linked']);
  });

  test('adopts the payment if the location is hers already, and gets no mail', async () => {
    const { made, offer } = await pay();
    const user = await signInUser(portal);
    await linkLocation(portal, { ...user, ...made });
    expect((await useOfferOf(portal, offer, user)).statusCode).toBe(204);
    expect(await adopterOf(db(), made)).toMatchObject({ userId: user.userId });
    expect(await kindsTo(user.email)).toEqual([]);
  });

  test('learns only about the link if the token was never issued', async () => {
    const user = await signInUser(portal);
    for (const token of ['', 'x', '...', `${'a'.repeat(40)}.1.b.c`]) {
      expect((await useOfferOf(portal, token, user)).json()).toMatchObject(INVALID_TOKEN);
    }
  });
});
