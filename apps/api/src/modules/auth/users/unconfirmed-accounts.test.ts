import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { makeUser } from '../../../../test/factories/users.ts';
import { mailLink, mailsTo, newestLink } from '../../../../test/mail/mailbox.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { customer } from '../../../db/schema/franchises.ts';
import { appUser } from '../../../db/schema/people.ts';
import { forgetExpired } from './forget-expired.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const START = new Date('2026-11-15T18:00:00Z');
const afterDays = (days: number) => {
  portal.now = new Date(START.getTime() + days * 86_400_000);
};
beforeEach(() => afterDays(0));

const db = () => portal.deps.db.query;
const freshEmail = () => `owner${nextNumber()}@example.com`;
let lastAddress = 0;
const post = (path: string, body?: unknown) =>
  call(portal, 'POST', path, { body, headers: { 'x-forwarded-for': `10.7.0.${(++lastAddress % 250) + 1}` } });

const ATTACKER = { firstName: 'Mallory', lastName: 'Intruder', password: 'chosen by the attacker' };
const OWNER = { firstName: 'Zoë', lastName: 'Ærø', password: 'chosen by the owner herself' };

const register = (email: string, person: typeof OWNER) =>
  post('/user/register', { email, ...person, userType: 2 });
const signIn = (email: string, { password }: { password: string }) =>
  post('/authentication/login', { email, password });
const confirm = ({ email, token }: { email: string; token: string }) =>
  post('/user/confirm', { email, token });
const rowOf = async (email: string) => (await db().select().from(appUser).where(eq(appUser.email, email)))[0];

async function invite(email: string): Promise<void> {
  const { franchiseId, customerId } = await makeInvoice(db());
  const [row] = await db().select().from(customer).where(eq(customer.id, customerId));
  const body = { franchiseId, customerNumber: row?.number, email };
  expect((await callOffice(portal, 'POST', '/invitations', { body })).statusCode).toBe(201);
}

/** Somebody else registers the owner's address first. Returns the link mailed to the owner. */
async function registeredByAnother() {
  const email = freshEmail();
  expect((await register(email, ATTACKER)).statusCode).toBe(204);
  return { email, attackersLink: await newestLink(portal, email) };
}

async function expectOwners(email: string, names: { firstName: string; lastName: string }, password: string) {
  expect((await signIn(email, ATTACKER)).json().detail).toBe('Failed');
  const signedIn = await signIn(email, { password });
  expect(signedIn.statusCode).toBe(200);
  const me = await call(portal, 'GET', '/user', { token: signedIn.json().accessToken });
  expect(me.json()).toMatchObject({ email, ...names });
}

describe('the owner of an address that somebody else registered', () => {
  test('registers it herself, which removes everything of the other, links included', async () => {
    const { email, attackersLink } = await registeredByAnother();
    expect((await register(email.toUpperCase(), OWNER)).statusCode).toBe(204);
    expect((await mailsTo(portal, email)).map((mail) => mail.kind)).toEqual([
      'confirm-email',
      'confirm-email',
    ]);
    expect((await confirm(attackersLink)).statusCode).toBe(400);
    expect((await signIn(email, OWNER)).json().detail).toBe('NotAllowed');
    expect((await confirm(await newestLink(portal, email))).statusCode).toBe(204);
    await expectOwners(email, { firstName: 'Zoë', lastName: 'Ærø' }, OWNER.password);
  });

  test('accepts an invitation with an account of her own', async () => {
    const { email, attackersLink } = await registeredByAnother();
    await invite(email);
    const [mail] = await mailsTo(portal, email);
    if (!mail) throw new Error('nobody was invited');
    const { url, token } = mailLink(mail);
    expect(url.pathname).toBe('/invitation');
    expect((await post('/user/acceptinvite', { email, passwordToken: token, ...OWNER })).statusCode).toBe(
      204,
    );
    expect((await confirm(attackersLink)).statusCode).toBe(400);
    await expectOwners(email, { firstName: 'Zoë', lastName: 'Ærø' }, OWNER.password);
  });

  test('resets the password, which removes the other’s names', async () => {
    const { email, attackersLink } = await registeredByAnother();
    await post(`/user/resetpassword?email=${email}`);
    const { token } = await newestLink(portal, email);
    const { password } = OWNER;
    expect(
      (await post('/user/confirmresetpassword', { email, passwordToken: token, password })).statusCode,
    ).toBe(204);
    expect((await confirm(attackersLink)).statusCode).toBe(400);
    await expectOwners(email, { firstName: '', lastName: '' }, password);
  });

  test('gets in by a new password even while the other registers it over and over', async () => {
    const { email } = await registeredByAnother();
    await post(`/user/resetpassword?email=${email}`);
    const { token } = await newestLink(portal, email);
    const tries = [];
    for (let count = 0; count < 8; count++) tries.push((await register(email, ATTACKER)).statusCode);
    // Four more mails use up this mailbox's hourly share; without a mail, no registration replaces another.
    expect(tries).toEqual([204, 204, 204, 204, 429, 429, 429, 429]);
    expect((await mailsTo(portal, email)).map((mail) => mail.kind).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'confirm-email'),
      'reset-password',
    ]);
    const { password } = OWNER;
    expect(
      (await post('/user/confirmresetpassword', { email, passwordToken: token, password })).statusCode,
    ).toBe(204);
    await expectOwners(email, { firstName: '', lastName: '' }, password);
  });
});

test('a new password of a confirmed account keeps its names', async () => {
  const { email } = await makeUser(portal, { firstName: 'Robin', lastName: 'Example' });
  await post(`/user/resetpassword?email=${email}`);
  const { token } = await newestLink(portal, email);
  await post('/user/confirmresetpassword', { email, passwordToken: token, password: OWNER.password });
  expect(await rowOf(email)).toMatchObject({ firstName: 'Robin', lastName: 'Example' });
});

test('a confirmed account is never replaced', async () => {
  const { email } = await registeredByAnother();
  await register(email, OWNER);
  await confirm(await newestLink(portal, email));
  const answer = await register(email, ATTACKER);
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ code: 'DuplicateEmail' }] });
  await expectOwners(email, { firstName: 'Zoë', lastName: 'Ærø' }, OWNER.password);
});

test('registering gives the same answer for an unconfirmed address as for a new one', async () => {
  const { email } = await registeredByAnother();
  const [over, fresh] = [await register(email, OWNER), await register(freshEmail(), OWNER)];
  expect([over.statusCode, over.body]).toEqual([fresh.statusCode, fresh.body]);
});

describe('after a week', () => {
  test('an unconfirmed account is removed, and a confirmed one is not', async () => {
    const { email, attackersLink } = await registeredByAnother();
    const confirmed = freshEmail();
    await register(confirmed, OWNER);
    await confirm(await newestLink(portal, confirmed));
    afterDays(7);
    await forgetExpired(portal.deps);
    expect(await rowOf(email)).toBeDefined();
    portal.now = new Date(portal.now.getTime() + 1);
    await forgetExpired(portal.deps);
    expect(await rowOf(email)).toBeUndefined();
    expect((await confirm(attackersLink)).statusCode).toBe(400);
    expect(await rowOf(confirmed)).toBeDefined();
  });

  test('registering again starts a new week', async () => {
    const { email } = await registeredByAnother();
    afterDays(6);
    await register(email, OWNER);
    afterDays(12);
    await forgetExpired(portal.deps);
    expect(await rowOf(email)).toBeDefined();
  });

  test('an account that the office switched off stays, and stays switched off', async () => {
    const { email } = await registeredByAnother();
    await callOffice(portal, 'PUT', `/users/${email}`, { body: { active: false } });
    afterDays(30);
    await forgetExpired(portal.deps);
    await register(email, OWNER);
    await confirm(await newestLink(portal, email));
    expect((await signIn(email, OWNER)).json().detail).toBe('LockedOut');
  });
});
