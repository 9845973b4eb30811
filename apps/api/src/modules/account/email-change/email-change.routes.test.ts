import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import { useSentStatements } from '../../../../test/database/sent-statements.ts';
import { askEmailChange, confirmNewEmail, linkIn, moveTo } from '../../../../test/factories/email-changes.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { makeUser, type SignedInUser, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import {
  forgetMails,
  useUpEmailChanges,
  useUpMails,
  useUpRegistrations,
} from '../../../../test/limits/crowded-address.ts';
import { mailsTo, newestLink } from '../../../../test/mail/mailbox.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { useUpWrongLinks } from '../../../../test/wrong-links.ts';
import { customer } from '../../../db/schema/franchises.ts';
import { appUser } from '../../../db/schema/people.ts';
import { isOwnersAddress, rememberOwnersAddress } from '../../auth/passwords/known-address.ts';

const sentStatements = useSentStatements();
const portal = useTestApp(OFFICE_SETTINGS);
const db = () => portal.deps.db.query;
const DAY_SECONDS = 86_400;
const NEW_PASSWORD = 'another long enough sentence';

const freshEmail = () => `moved${nextNumber()}@example.com`;
const emailOf = async (userId: string) =>
  (await db().select().from(appUser).where(eq(appUser.id, userId)))[0]?.email;
const account = async ({ token }: { token: string }) =>
  (await call(portal, 'GET', '/user/account', { token })).json();
const undo = (link: { email: string; token: string }, password = NEW_PASSWORD) =>
  call(portal, 'POST', '/authentication/email/undo', { body: { ...link, password } });
const signIn = (email: string, password: string) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password } });
const subjectsTo = async (email: string) =>
  (await mailsTo(portal, email)).map(({ content }) => content.subject);

const INVALID_TOKEN = { status: 400, errors: [{ code: 'InvalidToken' }] };

beforeEach(async () => {
  await db().execute('DELETE FROM limit_counter');
});

describe('asking for another address', () => {
  test('mails both addresses, is shown as pending, and changes nothing yet', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const asked = await askEmailChange(portal, user, `  ${email.toUpperCase()} `);
    expect([asked.statusCode, asked.body]).toEqual([204, '']);
    expect(await subjectsTo(email)).toEqual(['Confirm your new email address']);
    expect(await subjectsTo(user.email)).toEqual(['Your email address is about to change']);
    expect(await account(user)).toMatchObject({ email: user.email, pendingEmail: email, undoUntil: null });
  });

  test('does the same for an address with an account; only the mail to it differs', async () => {
    const user = await signInUser(portal);
    const { email } = await makeUser(portal);
    const asked = await askEmailChange(portal, user, email);
    expect([asked.statusCode, asked.body]).toEqual([204, '']);
    expect(await subjectsTo(email)).toEqual(['You already have an account']);
    expect(await subjectsTo(user.email)).toEqual(['Your email address is about to change']);
    expect(await account(user)).toMatchObject({ email: user.email, pendingEmail: email });
  });

  test('runs the same statements whether or not the address has an account or is reserved for an undo', async () => {
    const moved = await signInUser(portal);
    await moveTo(portal, moved, freshEmail());
    const addresses = [freshEmail(), (await makeUser(portal)).email, moved.email];
    const takes: string[][] = [];
    for (const email of addresses) {
      const user = await signInUser(portal);
      takes.push(await sentStatements(() => askEmailChange(portal, user, email)));
    }
    const [free, ...taken] = takes;
    expect(free?.length).toBeGreaterThan(10);
    for (const each of taken) expect(each).toEqual(free);
  });

  test('for one’s own address is refused', async () => {
    const user = await signInUser(portal);
    const refused = await askEmailChange(portal, user, user.email.toUpperCase());
    expect(refused.json()).toMatchObject({
      status: 400,
      errors: [{ code: 'EmailUnchanged', field: 'email', description: 'This is your address already.' }],
    });
  });

  test('needs the current password', async () => {
    const user = await signInUser(portal);
    const refused = await askEmailChange(portal, user, freshEmail(), 'not the password');
    expect(refused.json()).toMatchObject({
      status: 400,
      errors: [
        {
          code: 'PasswordMismatch',
          field: 'password',
          description: 'This is not your current password.',
        },
      ],
    });
    expect(await account(user)).toMatchObject({ pendingEmail: null });
  });

  test('is allowed three times a day', async () => {
    const user = await signInUser(portal);
    for (let count = 0; count < 3; count++) {
      expect((await askEmailChange(portal, user, freshEmail())).statusCode).toBe(204);
    }
    const refused = await askEmailChange(portal, user, freshEmail());
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 3600]).toEqual([429, true]);
  });

  test('is allowed three times a day, also when all arrive at once', async () => {
    const user = await signInUser(portal);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => askEmailChange(portal, user, freshEmail())),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 204, 204, 429, 429, 429]);
    expect(await mailsTo(portal, user.email)).toHaveLength(3);
  });

  test('waits for no mails and registrations that others ask for at the same network address', async () => {
    await useUpMails(portal);
    await useUpRegistrations(portal);
    expect((await askEmailChange(portal, await signInUser(portal), freshEmail())).statusCode).toBe(204);
  });

  test('counts as a mail asked for at the network address', async () => {
    await useUpMails(portal, '127.0.0.1', 299);
    await useUpEmailChanges(portal);
    const user = await signInUser(portal);
    expect((await askEmailChange(portal, user, freshEmail())).statusCode).toBe(204);
    expect((await askEmailChange(portal, user, freshEmail())).statusCode).toBe(429);
  });

  test('past the limits of network addresses is allowed a thousand times an hour, and elsewhere as usual', async () => {
    const user = await signInUser(portal);
    await useUpMails(portal);
    await useUpEmailChanges(portal);
    const email = freshEmail();
    const refused = await askEmailChange(portal, user, email);
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 3500]).toEqual([429, true]);
    expect(await mailsTo(portal, email)).toEqual([]);
    await forgetMails(portal);
    expect((await askEmailChange(portal, user, email)).statusCode).toBe(204);
  });

  test('uses up nothing where it sends no mail', async () => {
    const moved = await signInUser(portal);
    await moveTo(portal, moved, freshEmail());
    await useUpMails(portal);
    await useUpEmailChanges(portal, 999);
    expect((await askEmailChange(portal, moved, freshEmail())).statusCode).toBe(409);
    const user = await signInUser(portal);
    expect((await askEmailChange(portal, user, freshEmail(), 'not the password')).statusCode).toBe(400);
    expect((await askEmailChange(portal, user, freshEmail())).statusCode).toBe(204);
    expect((await askEmailChange(portal, user, freshEmail())).statusCode).toBe(429);
  });

  test('sends a mailbox at most five mails an hour, however many accounts ask', async () => {
    const email = freshEmail();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      statuses.push((await askEmailChange(portal, await signInUser(portal), email)).statusCode);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    expect(await subjectsTo(email)).toHaveLength(5);
  });

  test('again, or canceling, invalidates the earlier link', async () => {
    const user = await signInUser(portal);
    const [first, second] = [freshEmail(), freshEmail()];
    await askEmailChange(portal, user, first);
    await askEmailChange(portal, user, second);
    expect((await confirmNewEmail(portal, first)).json()).toMatchObject(INVALID_TOKEN);
    const canceled = await call(portal, 'DELETE', '/user/email', { token: user.token });
    expect(canceled.statusCode).toBe(204);
    expect((await confirmNewEmail(portal, second)).json()).toMatchObject(INVALID_TOKEN);
    expect(await account(user)).toMatchObject({ email: user.email, pendingEmail: null });
  });
});

describe('confirming', () => {
  test('moves the account, keeps its sessions, spends its links, and tells the previous address', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`);
    const reset = await newestLink(portal, user.email);
    const asked = await linkAfterAsking(user, email);

    expect((await confirmNewEmail(portal, email)).statusCode).toBe(204);

    const { undoUntil, ...rest } = await account(user);
    expect(rest).toMatchObject({ email, pendingEmail: null, previousEmail: user.email });
    expect(undoUntil).toEqual(expect.any(String));
    expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200);
    expect((await signIn(user.email, TEST_PASSWORD)).statusCode).toBe(401);
    const spent = await call(portal, 'POST', '/user/confirmresetpassword', {
      body: { email: user.email, passwordToken: reset.token, password: NEW_PASSWORD },
    });
    expect(spent.statusCode).toBe(400);
    expect((await subjectsTo(user.email))[0]).toBe('Your email address was changed');
    // Both mails carry the same link.
    const changed = await linkIn(portal, { kind: 'email-changed', to: user.email });
    expect(changed).toEqual(asked);
    expect((await confirmNewEmail(portal, email)).json()).toMatchObject(INVALID_TOKEN);
  });

  test('works for 24 hours and not longer', async () => {
    const [early, late] = [await signInUser(portal), await signInUser(portal)];
    const [earlyEmail, lateEmail] = [freshEmail(), freshEmail()];
    await askEmailChange(portal, late, lateEmail);
    await advanceEngineClock(portal.deps, 120);
    await askEmailChange(portal, early, earlyEmail);
    await advanceEngineClock(portal.deps, DAY_SECONDS - 60);
    expect((await confirmNewEmail(portal, lateEmail)).json()).toMatchObject(INVALID_TOKEN);
    expect((await confirmNewEmail(portal, earlyEmail)).statusCode).toBe(204);
    expect(await account(late)).toMatchObject({ pendingEmail: null });
  });

  test.each(['a token that was made up', 'the token with another address'])('%s is refused', async (what) => {
    const user = await signInUser(portal);
    const email = freshEmail();
    await askEmailChange(portal, user, email);
    const { token } = await linkIn(portal, { kind: 'email-change', to: email });
    const body = what.includes('made up') ? { email, token: `${token}x` } : { email: freshEmail(), token };
    const refused = await call(portal, 'POST', '/authentication/email/confirm', { body });
    expect(refused.json()).toMatchObject(INVALID_TOKEN);
  });

  test('does not reveal that the address was taken meanwhile', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    await askEmailChange(portal, user, email);
    await makeUser(portal, { email });
    expect((await confirmNewEmail(portal, email)).json()).toMatchObject(INVALID_TOKEN);
    expect(await emailOf(user.userId)).toBe(user.email);
  });

  test('moves to an address that somebody else registered and never confirmed', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    expect((await register(email)).statusCode).toBe(204);
    const strangers = await newestLink(portal, email);
    expect((await askEmailChange(portal, user, email)).statusCode).toBe(204);
    expect((await confirmNewEmail(portal, email)).statusCode).toBe(204);
    expect(await emailOf(user.userId)).toBe(email);
    const confirmed = await call(portal, 'POST', '/user/confirm', {
      body: { email, token: strangers.token },
    });
    expect(confirmed.json()).toMatchObject(INVALID_TOKEN);
    expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200);
  });

  test('does not move to an address whose account the office switched off', async () => {
    const user = await signInUser(portal);
    const { email } = await makeUser(portal, { emailConfirmedAt: null, active: false });
    await askEmailChange(portal, user, email);
    expect(await subjectsTo(email)).toEqual(['You already have an account']);
  });

  test('by two accounts at once gives the address to one of them', async () => {
    const email = freshEmail();
    const users = [await signInUser(portal), await signInUser(portal)];
    const links = [];
    for (const user of users) {
      await askEmailChange(portal, user, email);
      links.push(await linkIn(portal, { kind: 'email-change', to: email }));
    }
    const answers = await Promise.all(
      links.map((body) => call(portal, 'POST', '/authentication/email/confirm', { body })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 400]);
  });

  test('of an account that is switched off does nothing', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    await askEmailChange(portal, user, email);
    await callOffice(portal, 'PUT', `/users/${user.email}`, { body: { active: false } });
    expect((await confirmNewEmail(portal, email)).json()).toMatchObject(INVALID_TOKEN);
  });
});

test('links to confirm and to undo work where others have used up the tries', async () => {
  const user = await signInUser(portal);
  const email = freshEmail();
  await askEmailChange(portal, user, email);
  await useUpWrongLinks(portal);
  expect((await undo({ email, token: 'a guess' })).statusCode).toBe(429);
  expect((await confirmNewEmail(portal, email)).statusCode).toBe(204);
  const link = await linkIn(portal, { kind: 'email-changed', to: user.email });
  expect((await undo(link)).statusCode).toBe(204);
});

async function linkAfterAsking(user: SignedInUser, email: string) {
  await askEmailChange(portal, user, email);
  return linkIn(portal, { kind: 'email-change-asked', to: user.email });
}

describe('undoing', () => {
  test('before the confirmation keeps the address, sets a new password and ends every session', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const link = await linkAfterAsking(user, email);
    expect((await undo(link)).statusCode).toBe(204);
    expect((await confirmNewEmail(portal, email)).json()).toMatchObject(INVALID_TOKEN);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
    expect((await signIn(user.email, TEST_PASSWORD)).statusCode).toBe(401);
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
    expect((await undo(link)).json()).toMatchObject(INVALID_TOKEN);
  });

  test('before the confirmation tells nobody that an address was changed back', async () => {
    const user = await signInUser(portal);
    const { email } = await makeUser(portal);
    expect((await undo(await linkAfterAsking(user, email))).statusCode).toBe(204);
    for (const address of [user.email, email]) {
      expect((await subjectsTo(address))[0]).toBe('Your email address stays as it is');
    }
    const [owners] = await mailsTo(portal, user.email);
    expect(owners?.content.text).toContain('This is still the email address of your account.');
  });

  test.each<[string, (user: SignedInUser) => Promise<unknown>]>([
    ['canceled', ({ token }) => call(portal, 'DELETE', '/user/email', { token })],
    ['replaced', (user) => askEmailChange(portal, user, freshEmail())],
  ])('before the confirmation works, too, once the change is %s', async (_what, end) => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const link = await linkAfterAsking(user, email);
    await end(user);
    expect((await undo(link)).statusCode).toBe(204);
    expect(await account(user)).toMatchObject({ status: 401 });
    expect((await signIn(user.email, TEST_PASSWORD)).statusCode).toBe(401);
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
    expect((await subjectsTo(email))[0]).toBe('Your email address stays as it is');
    expect((await undo(link)).json()).toMatchObject(INVALID_TOKEN);
  });

  test.each<[string, (user: SignedInUser) => Promise<unknown>]>([
    ['open', async () => {}],
    ['canceled', ({ token }) => call(portal, 'DELETE', '/user/email', { token })],
  ])('of a change that was %s ends with a reset of the password', async (_what, end) => {
    const user = await signInUser(portal);
    const link = await linkAfterAsking(user, freshEmail());
    await end(user);
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`);
    const { token } = await newestLink(portal, user.email);
    const body = { email: user.email, passwordToken: token, password: NEW_PASSWORD };
    expect((await call(portal, 'POST', '/user/confirmresetpassword', { body })).statusCode).toBe(204);
    expect((await undo(link, 'a third long sentence')).json()).toMatchObject(INVALID_TOKEN);
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('before the confirmation ends after eight days', async () => {
    const [early, late] = [await signInUser(portal), await signInUser(portal)];
    const lateLink = await linkAfterAsking(late, freshEmail());
    await advanceEngineClock(portal.deps, 120);
    const earlyLink = await linkAfterAsking(early, freshEmail());
    for (const { token } of [early, late]) await call(portal, 'DELETE', '/user/email', { token });
    await advanceEngineClock(portal.deps, 8 * DAY_SECONDS - 60);
    expect((await undo(lateLink)).json()).toMatchObject(INVALID_TOKEN);
    expect((await undo(earlyLink)).statusCode).toBe(204);
  });

  test('by the link of a replaced change restores the address that the next one changed, and spends both links', async () => {
    const user = await signInUser(portal);
    const replaced = await linkAfterAsking(user, freshEmail());
    const email = freshEmail();
    const link = await moveTo(portal, user, email);
    expect((await undo(replaced)).statusCode).toBe(204);
    expect(await emailOf(user.userId)).toBe(user.email);
    for (const address of [user.email, email]) {
      expect((await subjectsTo(address))[0]).toBe('Your email address was changed back');
    }
    for (const each of [replaced, link]) expect((await undo(each)).json()).toMatchObject(INVALID_TOKEN);
  });

  test('by the link of a replaced change ends with the undo of the next one', async () => {
    const user = await signInUser(portal);
    const replaced = await linkAfterAsking(user, freshEmail());
    const email = freshEmail();
    await moveTo(portal, user, email);
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    expect((await undo(replaced)).json()).toMatchObject(INVALID_TOKEN);
    expect(await emailOf(user.userId)).toBe(email);
  });

  test('after it restores the previous address, and tells both', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const link = await moveTo(portal, user, email);
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS - 60);
    expect((await undo(link)).statusCode).toBe(204);
    expect(await emailOf(user.userId)).toBe(user.email);
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
    for (const address of [user.email, email]) {
      expect((await subjectsTo(address))[0]).toBe('Your email address was changed back');
    }
  });

  test('forgets where somebody signed in to the account before', async () => {
    const user = await signInUser(portal);
    const [thiefs, owners] = ['203.0.113.7', '203.0.113.8'];
    await rememberOwnersAddress(portal.deps, db(), { userId: user.userId, ip: thiefs });
    const link = await moveTo(portal, user, freshEmail());
    const undone = await portal.app.inject({
      method: 'POST',
      url: '/api/authentication/email/undo',
      headers: { 'x-apisecret': TEST_SECRETS.apiSecret },
      remoteAddress: owners,
      payload: { ...link, password: NEW_PASSWORD },
    });
    expect(undone.statusCode).toBe(204);
    const isKnown = (ip: string) => isOwnersAddress(portal.deps, db(), { email: user.email, ip });
    expect([await isKnown(thiefs), await isKnown(owners)]).toEqual([false, true]);
  });

  test('ends after seven days', async () => {
    const user = await signInUser(portal);
    const link = await moveTo(portal, user, freshEmail());
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    expect((await undo(link)).json()).toMatchObject(INVALID_TOKEN);
  });

  test('ends when the account is closed', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const link = await moveTo(portal, user, email);
    const closed = await call(portal, 'POST', '/user/close', {
      token: user.token,
      body: { password: TEST_PASSWORD },
    });
    expect(closed.statusCode).toBe(204);
    expect((await undo(link)).json()).toMatchObject(INVALID_TOKEN);
    for (const address of [user.email, email]) {
      expect((await subjectsTo(address))[0]).toBe('Your account is closed');
    }
    expect((await register(user.email)).statusCode).toBe(204);
  });

  test('checks the new password like any other', async () => {
    const user = await signInUser(portal);
    const link = await moveTo(portal, user, freshEmail());
    for (const [password, code] of [
      ['short', 'PasswordTooShort'],
      ['password1', 'PasswordTooCommon'],
    ] as const) {
      expect((await undo(link, password)).json()).toMatchObject({
        status: 400,
        errors: [{ code, field: 'password' }],
      });
    }
  });

  test.each([
    ['altered', (token: string) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    ['of another change', (token: string) => token.replace(/^[^.]+/, randomUUID())],
    ['cut short', (token: string) => token.split('.')[0] ?? ''],
    ['with more behind it', (token: string) => `${token}.x`],
  ])('a token that is %s is refused', async (_what, change) => {
    const user = await signInUser(portal);
    const link = await moveTo(portal, user, freshEmail());
    expect((await undo({ ...link, token: change(link.token) })).json()).toMatchObject(INVALID_TOKEN);
    expect((await undo({ ...link, email: freshEmail() })).json()).toMatchObject(INVALID_TOKEN);
  });

  test('says so if another account took the address in a race', async () => {
    const user = await signInUser(portal);
    const link = await moveTo(portal, user, freshEmail());
    await makeUser(portal, { email: user.email });
    expect((await undo(link)).json()).toMatchObject({
      status: 409,
      detail: 'This address belongs to another account now. Please contact your local office.',
      errors: [{ code: 'EmailTaken' }],
    });
  });
});

const register = (email: string) =>
  call(portal, 'POST', '/user/register', {
    body: { email, firstName: 'Ana', lastName: 'Ruiz', password: NEW_PASSWORD },
  });

describe('an account changes its address once in seven days', () => {
  test('refuses a second change until its day, then accepts it', async () => {
    const user = await signInUser(portal);
    const moved = freshEmail();
    await moveTo(portal, user, moved);
    const { undoUntil } = await account(user);
    const dayAfter = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(Date.parse(undoUntil) + DAY_SECONDS * 1000),
    );
    const refused = await askEmailChange(portal, user, freshEmail());
    expect(refused.json()).toMatchObject({
      status: 409,
      detail: `You can change your email address again on ${dayAfter}.`,
      errors: [{ code: 'EmailChangedLately' }],
    });
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    expect((await askEmailChange(portal, user, user.email)).statusCode).toBe(204);
    expect((await confirmNewEmail(portal, user.email)).statusCode).toBe(204);
  });

  test('one that was undone does not count', async () => {
    const user = await signInUser(portal);
    await undo(await moveTo(portal, user, freshEmail()));
    const { accessToken: token } = (await signIn(user.email, NEW_PASSWORD)).json();
    expect((await askEmailChange(portal, { token }, freshEmail(), NEW_PASSWORD)).statusCode).toBe(204);
  });
});

describe('while an undo is possible, nobody else gets the previous address:', () => {
  async function held() {
    const user = await signInUser(portal);
    const link = await moveTo(portal, user, freshEmail());
    return { ...user, link };
  }

  test('not by registering', async () => {
    const { email, link } = await held();
    expect((await register(email)).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'DuplicateEmail' }],
    });
    expect((await undo(link)).statusCode).toBe(204);
  });

  test('not by accepting an invitation', async () => {
    const made = await makeInvoice(db());
    const [invited] = await db().select().from(customer).where(eq(customer.id, made.customerId));
    const { email } = await held();
    const moveBack = (days: number) =>
      db().execute(sql`
        UPDATE email_change SET confirmed_at = confirmed_at - make_interval(days => ${days}) WHERE old_email = ${email}`);
    // The office invites nobody at an address while it is held.
    await moveBack(7);
    await callOffice(portal, 'POST', '/invitations', {
      body: { franchiseId: made.franchiseId, customerNumber: invited?.number, email },
    });
    await moveBack(-7);
    const { token } = await newestLink(portal, email);
    const accepted = await call(portal, 'POST', '/user/acceptinvite', {
      body: { email, passwordToken: token, firstName: 'Ana', lastName: 'Ruiz', password: NEW_PASSWORD },
    });
    expect(accepted.json()).toMatchObject({ status: 400, errors: [{ code: 'DuplicateEmail' }] });
  });

  test('not by a change to it', async () => {
    const { email } = await held();
    const other = await signInUser(portal);
    expect((await askEmailChange(portal, other, email)).statusCode).toBe(204);
    expect((await subjectsTo(email))[0]).toBe('You already have an account');
  });

  test('not by a change requested before', async () => {
    const other = await signInUser(portal);
    const user = await signInUser(portal);
    // Requested while the address was free, so the mail has a link.
    await makeFree(user);
    await askEmailChange(portal, other, user.email);
    const link = await linkIn(portal, { kind: 'email-change', to: user.email });
    await db().update(appUser).set({ email: user.email }).where(eq(appUser.id, user.userId));
    await moveTo(portal, user, freshEmail());
    const confirmed = await call(portal, 'POST', '/authentication/email/confirm', { body: link });
    expect(confirmed.json()).toMatchObject(INVALID_TOKEN);
    expect(await emailOf(other.userId)).toBe(other.email);
  });

  const makeFree = ({ userId }: SignedInUser) =>
    db().update(appUser).set({ email: freshEmail() }).where(eq(appUser.id, userId));

  test('not by being added to the staff', async () => {
    const { email } = await held();
    const added = await callConsole(portal, 'POST', '/staff', {
      headers: { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` },
      body: { email, role: 'support' },
    });
    expect(added.json()).toMatchObject({ status: 409, errors: [{ code: 'EmailTaken', field: 'email' }] });
  });

  test('and afterwards it is free', async () => {
    const { email } = await held();
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    expect((await register(email)).statusCode).toBe(204);
  });
});
