import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call } from '../../../../test/build-test-app.ts';
import { askEmailChange, moveTo } from '../../../../test/factories/email-changes.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { addCard, payAsCustomer, portalSale } from '../../../../test/factories/unpaid-invoices.ts';
import { linkCustomer, linkLocation, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { mailsTo, newestLink } from '../../../../test/mail/mailbox.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { forgetOld } from '../../../jobs/forget-old.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';
import { lockUserById } from '../../auth/users/users.queries.ts';
import { indexWords } from '../../console/search/index-words.ts';
import { emptyAccount } from './close.queries.ts';

const { emulator, portal, db, sweepAll } = usePayments();
const DAY_SECONDS = 86_400;

beforeEach(async () => {
  await db().execute('DELETE FROM limit_counter');
});

const close = (token: string, password = TEST_PASSWORD) =>
  call(portal, 'POST', '/user/close', { token, body: { password } });

/** Finds every column in the database that holds one of these words. */
async function placesOf(words: string[]): Promise<string[]> {
  const { rows: tables } = await db().execute<{ name: string }>(sql`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public' ORDER BY 1`);
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await db().execute<{ row: Record<string, unknown> }>(
      sql`SELECT to_jsonb(t) AS row FROM ${sql.raw(`"${name}"`)} t`,
    );
    for (const { row } of rows) {
      for (const [column, value] of Object.entries(row)) {
        const text = JSON.stringify(value).toLowerCase();
        if (words.some((word) => text.includes(word.toLowerCase()))) found.add(`${name}.${column}`);
      }
    }
  }
  return [...found].sort();
}

test('closing removes every name, and the address except where the books and the office keep it', async () => {
  const number = nextNumber();
  const [first, second] = [`first${number}@example.com`, `second${number}@example.com`];
  const names = { firstName: `Quirin${number}`, lastName: `Abendroth${number}` };
  const user = await signInUser(portal, { email: first, ...names });
  const made = await makeInvoice(db());
  await linkLocation(portal, { ...user, ...made });
  const invited = await makeInvoice(db());
  await linkCustomer(portal, { ...user, ...invited });
  const { rows } = await db().execute<{ number: number }>(
    sql`SELECT number FROM customer WHERE id = ${invited.customerId}`,
  );
  await callOffice(portal, 'POST', '/invitations', {
    body: { franchiseId: invited.franchiseId, customerNumber: rows[0]?.number, email: first },
  });
  await call(portal, 'POST', '/user/invitations', { token: user.token, body: {} });
  const other = await makeInvoice(db());
  const { rows: others } = await db().execute<{ number: number }>(
    sql`SELECT number FROM customer WHERE id = ${other.customerId}`,
  );
  const paymentMethodId = await addCard(portal, emulator, user);
  const paid = await payAsCustomer(
    portal,
    user.token,
    portalSale([made], { paymentMethodId, sendReceipt: true }),
  );
  expect(paid.statusCode, paid.body).toBe(200);
  await moveTo(portal, user, second);
  await callOffice(portal, 'POST', '/invitations', {
    body: { franchiseId: other.franchiseId, customerNumber: others[0]?.number, email: second },
  });
  await call(portal, 'POST', `/user/resetpassword?email=${second}`);
  await mailsTo(portal, second);

  expect((await close(user.token)).statusCode).toBe(204);
  await indexWords(portal.deps);

  const words = [names.firstName, names.lastName];
  expect(await placesOf(words)).toEqual([]);
  expect(await placesOf([first, second])).toEqual(['outgoing_mail.recipient', 'payment_intent.payer_email']);
  for (const address of [first, second]) {
    expect((await mailsTo(portal, address))[0]?.content.subject).toBe('Your account is closed');
  }
  const signIn = await call(portal, 'POST', '/authentication/login', {
    body: { email: second, password: TEST_PASSWORD },
  });
  expect(signIn.json()).toMatchObject({ status: 401, detail: 'Failed' });
  expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
  const refreshed = await call(portal, 'POST', '/authentication/refresh', {
    body: { refreshToken: user.refreshToken },
  });
  expect(refreshed.statusCode).toBe(401);
  const { rows: left } = await db().execute(sql`
    SELECT (SELECT count(*) FROM payment_method WHERE user_id = ${user.userId}) AS cards,
           (SELECT count(*) FROM session WHERE user_id = ${user.userId} AND ended_at IS NULL) AS sessions,
           (SELECT count(*) FROM visible_location WHERE user_id = ${user.userId}) AS locations,
           (SELECT count(*) FROM invitation WHERE email LIKE 'closed-%' AND accepted_at IS NULL AND withdrawn_at IS NULL)
             AS pending,
           (SELECT count(*) FROM payment_intent WHERE user_id = ${user.userId} AND state = 'accepted' AND kind = 'portal')
             AS payments`);
  expect(left).toEqual([{ cards: 0, sessions: 0, locations: 0, pending: 0, payments: 1 }]);

  await sweepAll();
  // Only mails that were sent or given up are blanked; of those given up, the links in them too.
  await db().execute(sql`UPDATE outgoing_mail SET next_try_at = NULL`);
  // The sweep has moved the clock by some hours.
  await advanceEngineClock(portal.deps, 28 * DAY_SECONDS);
  await forgetOld(portal.deps);
  expect(await placesOf([first, second])).toContain('outgoing_mail.recipient');
  await advanceEngineClock(portal.deps, 2 * DAY_SECONDS + 60);
  await forgetOld(portal.deps);
  expect(await placesOf([first, second])).toEqual(['payment_intent.payer_email']);
});

/** An invitation of an office to its customer. The result sends it anew. */
async function invite(email: string): Promise<() => Promise<void>> {
  const made = await makeInvoice(db());
  const { rows } = await db().execute<{ number: number }>(
    sql`SELECT number FROM customer WHERE id = ${made.customerId}`,
  );
  const body = { franchiseId: made.franchiseId, customerNumber: rows[0]?.number, email };
  const send = async () => {
    expect((await callOffice(portal, 'POST', '/invitations', { body })).statusCode).toBe(201);
  };
  await send();
  return send;
}

/** What holds the addresses once the mails of a closed account are old. */
async function placesLater(addresses: string[]): Promise<string[]> {
  await db().execute(sql`UPDATE outgoing_mail SET next_try_at = NULL`);
  await advanceEngineClock(portal.deps, 30 * DAY_SECONDS + 60);
  await forgetOld(portal.deps);
  return placesOf(addresses);
}

async function signedIn(email: string): Promise<string> {
  const body = { email, password: TEST_PASSWORD };
  return (await call(portal, 'POST', '/authentication/login', { body })).json().accessToken;
}

/** In production an account's time is the engine's; the clock of this test's portal stands still. */
const isMadeNow = (email: string) =>
  db().execute(sql`UPDATE app_user SET created_at = engine_now() WHERE email = ${email}`);

const person = (email: string) => ({ email, firstName: 'Ana', lastName: 'Ruiz', password: TEST_PASSWORD });

test('removes the address from the invitation that made the account', async () => {
  const email = `invited${nextNumber()}@example.com`;
  await invite(email);
  const { token: passwordToken } = await newestLink(portal, email);
  const accepted = await call(portal, 'POST', '/user/acceptinvite', {
    body: { ...person(email), passwordToken },
  });
  expect(accepted.statusCode, accepted.body).toBe(204);
  await isMadeNow(email);
  expect((await close(await signedIn(email))).statusCode).toBe(204);
  expect(await placesLater([email])).toEqual([]);
});

test('removes the address from a registration’s mails, the earlier ones too', async () => {
  const email = `registered${nextNumber()}@example.com`;
  const register = () => call(portal, 'POST', '/user/register', { body: person(email) });
  expect((await register()).statusCode).toBe(204);
  // The registration of the day after replaces this one, with the time at which it was made.
  await db().execute(
    sql`UPDATE outgoing_mail SET created_at = created_at - interval '1 day' WHERE recipient = ${email}`,
  );
  expect((await register()).statusCode).toBe(204);
  const { token } = await newestLink(portal, email);
  expect((await call(portal, 'POST', '/user/confirm', { body: { email, token } })).statusCode).toBe(204);
  await isMadeNow(email);
  expect((await close(await signedIn(email))).statusCode).toBe(204);
  expect(await placesLater([email])).toEqual([]);
});

test('removes an earlier address from invitations that nobody accepted, before and after the account had it', async () => {
  const user = await signInUser(portal);
  await invite(user.email);
  const second = `second-${user.email}`;
  await invite(second);
  await moveTo(portal, user, second);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  await moveTo(portal, { ...user, email: second }, `third-${user.email}`);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  expect((await close(await signedIn(`third-${user.email}`))).statusCode).toBe(204);
  // The search's words go with the next round of their task.
  await indexWords(portal.deps);
  expect(await placesLater([user.email])).toEqual([]);
});

test('leaves an invitation that was sent anew once the address was given up', async () => {
  const user = await signInUser(portal);
  const inviteAgain = await invite(user.email);
  const second = `second-${user.email}`;
  await moveTo(portal, user, second);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  await moveTo(portal, { ...user, email: second }, `third-${user.email}`);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  await inviteAgain();
  expect((await close(await signedIn(`third-${user.email}`))).statusCode).toBe(204);

  const { token: passwordToken } = await newestLink(portal, user.email);
  const accepted = await call(portal, 'POST', '/user/acceptinvite', {
    body: { ...person(user.email), passwordToken },
  });
  expect(accepted.statusCode, accepted.body).toBe(204);
});

test('leaves what another account accepted at the address before', async () => {
  const email = `passed-on${nextNumber()}@example.com`;
  const earlier = await signInUser(portal, { email });
  await invite(email);
  await call(portal, 'POST', '/user/invitations', { token: earlier.token, body: {} });
  await moveTo(portal, earlier, `moved-${email}`);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  const user = await signInUser(portal, { email });
  expect((await close(user.token)).statusCode).toBe(204);
  const { rows } = await db().execute(
    sql`SELECT email FROM invitation WHERE accepted_by = ${earlier.userId}`,
  );
  expect(rows).toEqual([{ email }]);
});

test('leaves invitations of whoever has an earlier address now, and what went there before the account', async () => {
  const email = `shared${nextNumber()}@example.com`;
  const earlier = await signInUser(portal, { email });
  await call(portal, 'POST', `/user/resetpassword?email=${email}`);
  await mailsTo(portal, email);
  await moveTo(portal, earlier, `moved-${email}`);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  const { rows } = await db().execute<{ at: Date }>(sql`SELECT engine_now()::text AS at`);
  const user = await signInUser(portal, { email, createdAt: new Date(rows[0]?.at ?? '') });
  await invite(email);
  await call(portal, 'POST', '/user/invitations', { token: user.token, body: {} });
  await invite(email);
  await moveTo(portal, user, `left-${email}`);
  await advanceEngineClock(portal.deps, 8 * DAY_SECONDS);
  const next = await signInUser(portal, { email });
  await call(portal, 'POST', '/user/invitations', { token: next.token, body: {} });
  await invite(email);

  expect((await close(await signedIn(`left-${email}`))).statusCode).toBe(204);
  const { rows: left } = await db().execute(sql`
    SELECT (SELECT count(*) FROM invitation WHERE email = ${email} AND accepted_by = ${next.userId}) AS accepted,
           (SELECT count(*) FROM invitation WHERE email = ${email} AND accepted_at IS NULL AND withdrawn_at IS NULL)
             AS pending,
           (SELECT count(*) FROM invitation WHERE accepted_by = ${user.userId} AND email LIKE 'closed-%') AS emptied,
           (SELECT count(*) FROM outgoing_mail WHERE recipient = ${email} AND kind = 'reset-password' AND blank_at IS NULL)
             AS "earlier mails"`);
  expect(left).toEqual([{ accepted: 1, pending: 1, emptied: 1, 'earlier mails': 1 }]);
});

test('removes nothing of anybody else', async () => {
  const [user, other] = [await signInUser(portal), await signInUser(portal)];
  const made = await makeInvoice(db());
  await linkLocation(portal, { ...other, ...made });
  await addCard(portal, emulator, other);
  await askEmailChange(portal, other, `new-${other.email}`);
  const before = await things(other.token);
  expect((await close(user.token)).statusCode).toBe(204);
  expect(await things(other.token)).toEqual(before);
  expect((await mailsTo(portal, other.email))[0]?.kind).toBe('email-change-asked');
});

const things = async (token: string) =>
  Promise.all(
    ['/user/account', '/user/location', '/usaepay/portal/paymentmethods', '/user/sessions'].map(
      async (path) => (await call(portal, 'GET', path, { token })).json(),
    ),
  );

test('cancels the account’s unsent mail', async () => {
  const user = await signInUser(portal);
  await invite(user.email);
  await askEmailChange(portal, user, `new-${user.email}`);
  expect((await close(user.token)).statusCode).toBe(204);
  const { rows } = await db().execute(sql`
    SELECT kind, cancelled_at IS NOT NULL AS canceled FROM outgoing_mail
     WHERE recipient IN (${user.email}, ${`new-${user.email}`}) ORDER BY kind`);
  expect(rows).toEqual([
    { kind: 'account-closed', canceled: false },
    { kind: 'email-change', canceled: true },
    { kind: 'email-change-asked', canceled: true },
    { kind: 'invitation', canceled: true },
  ]);
});

test('needs the current password, and changes nothing without it', async () => {
  const user = await signInUser(portal);
  expect((await close(user.token, 'wrong')).json()).toMatchObject({
    status: 400,
    errors: [{ code: 'PasswordMismatch' }],
  });
  expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(200);
});

test('waits for a payment in progress', async () => {
  const user = await signInUser(portal);
  const insert = (state: string) => sql`
    INSERT INTO payment_intent (kind, user_id, idem_scope, idem_key, request_hash, deadline_at, state)
    VALUES ('card', ${user.userId}, ${`user ${user.userId}`}, 'one', '', engine_now() + interval '1 hour', ${state})`;
  await db().execute(insert('undecided'));
  expect((await close(user.token)).json()).toMatchObject({
    status: 409,
    detail: 'A payment is still under way. Please try again in a minute.',
    errors: [{ code: 'PaymentInProgress' }],
  });
  await db().execute(
    sql`UPDATE payment_intent SET state = 'abandoned', decided_at = engine_now() WHERE user_id = ${user.userId}`,
  );
  expect((await close(user.token)).statusCode).toBe(204);
  // A payment on its way when the account was closed doesn't begin.
  await expect(db().execute(insert('undecided'))).rejects.toThrow();
});

test.each(['a payment', 'a card'])('refuses %s that begins at the moment of closing', async (what) => {
  const user = await signInUser(portal);
  const made = await makeInvoice(db());
  await linkLocation(portal, { ...user, ...made });
  const paymentMethodId = await addCard(portal, emulator, user);
  const paymentKey = await emulator.mintPaymentKey();
  const before = await emulator.ledger();
  const begin = () =>
    what === 'a payment'
      ? payAsCustomer(portal, user.token, portalSale([made], { paymentMethodId }))
      : call(portal, 'POST', '/usaepay/portal/paymentmethods', {
          token: user.token,
          body: {
            paymentKey,
            maskedCard: '4000xxxxxxxx2224',
            street: 'Maple Street 12',
            postalCode: '62704',
          },
        });
  // Hold the account like a closing does, and commit while the other waits for it.
  const answer = await portal.deps.db.transaction(async (tx) => {
    await lockUserById(tx, user.userId);
    const begun = begin();
    await expect.poll(() => isOneWaiting()).toBe(true);
    await emptyAccount(tx, { userId: user.userId, passwordHash: NOBODYS_HASH });
    return { begun };
  });
  const refused = await answer.begun;
  expect(refused.json()).toMatchObject({
    status: 409,
    detail: 'Your account is closed. Your card was not charged.',
    errors: [{ code: 'PayerClosed' }],
  });
  expect(await emulator.ledger()).toEqual(before);
});

/** Whether a payment waits for the account's lock. */
async function isOneWaiting(): Promise<boolean> {
  const { rows } = await db().execute(sql`
    SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%insert into payment_intent%'`);
  return rows.length > 0;
}

test('closes once if requested twice at once', async () => {
  const user = await signInUser(portal);
  const answers = await Promise.all([close(user.token), close(user.token)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 401]);
  expect((await mailsTo(portal, user.email)).map(({ kind }) => kind)).toEqual(['account-closed']);
});
