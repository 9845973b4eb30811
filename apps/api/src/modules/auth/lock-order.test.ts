import { eq, type SQL, sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { askEmailChange, linkIn } from '../../../test/factories/email-changes.ts';
import { makeInvoice, nextNumber } from '../../../test/factories/invoices.ts';
import {
  linkCustomer,
  linkLocation,
  makeUser,
  signInUser,
  TEST_PASSWORD,
} from '../../../test/factories/users.ts';
import { callOffice } from '../../../test/office/office.ts';
import { makePasskeyOwner, optionsFor, type PasskeyOwner } from '../../../test/office/office-passkeys.ts';
import {
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  waitForNextCode,
} from '../../../test/office/office-people.ts';
import type { Database } from '../../db/client.ts';
import { customer } from '../../db/schema/franchises.ts';
import { makeRecoveryCodes } from '../staff/factors/recovery-codes.ts';
import { answerMailRequests } from './mailbox/answer-mail-requests.ts';
import type { MailTokenPurpose } from './mailbox/mail-tokens.queries.ts';
import { createMailLink } from './mailbox/mail-tokens.ts';

// The order stands in docs/architecture.md, "Locks around an account".
const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development', TRUST_PROXY: '1' });
const db = () => portal.deps.db.query;
const NEW_PASSWORD = 'a new one for the same windows';
const OPERATOR = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };

let retries = 0;

beforeEach(async () => {
  retries = 0;
  // Postgres ends a deadlock by an error, after which the transaction runs again.
  const { transaction } = portal.deps.db;
  portal.deps.db.transaction = countRuns(transaction);
  return () => {
    portal.deps.db.transaction = transaction;
  };
});

const countRuns =
  (transaction: Database['transaction']): Database['transaction'] =>
  (work) => {
    let runs = 0;
    return transaction((tx) => {
      if (++runs > 1) retries++;
      return work(tx);
    });
  };

type Act = () => Promise<unknown>;

/** Plays one act of a scene against each other one, beginning with it. */
async function raceFrom(
  scene: () => Promise<{ email: string; acts: Record<string, Act> }>,
  { first, held }: { first: string; held: 'mail_token' | 'invitation' },
): Promise<void> {
  const others = Object.keys((await scene()).acts).filter((name) => name !== first);
  for (const second of others) {
    const { email, acts } = await scene();
    await race({ email, held, acts: [acts[first], acts[second]] as Act[] });
    expect([first, second, retries]).toEqual([first, second, 0]);
  }
}

/**
 * Starts one act after the other while the address's rows in one table are locked, and lets them go on once each waits or
 * has ended: then each has what it locks before these rows, and the first one gets these.
 */
async function race({ email, held, acts }: { email: string; held: string; acts: Act[] }): Promise<void> {
  let ended = 0;
  const running: Promise<unknown>[] = [];
  await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM ${sql.identifier(held)} WHERE email = ${email} FOR UPDATE`);
    for (const act of acts) {
      running.push(act().finally(() => ended++));
      const isHalted = async () => ended + (await waiting()) >= running.length;
      await vi.waitUntil(isHalted, { timeout: 60_000, interval: 5 });
    }
  });
  await Promise.all(running);
}

async function waiting(): Promise<number> {
  const { rowCount } = await portal.deps.db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

let addresses = 0;

/** Each act comes from an address of its own, as few acts of one address run at once. */
const post = (path: string, body: object, token?: string) =>
  call(portal, 'POST', path, {
    body,
    ...(token !== undefined && { token }),
    headers: { 'x-forwarded-for': `10.4.${addresses >> 8}.${++addresses & 255}` },
  });

async function linkFor(purpose: MailTokenPurpose, email: string): Promise<{ email: string; token: string }> {
  const link = await portal.deps.db.transaction((tx) => createMailLink(portal.deps, tx, { purpose, email }));
  return { email, token: new URL(link).searchParams.get('t') ?? '' };
}

const register = (email: string) =>
  post('/user/register', { email, firstName: 'A', lastName: 'B', password: TEST_PASSWORD, userType: 2 });
const reset = ({ email, token }: { email: string; token: string }) =>
  post('/user/confirmresetpassword', { email, passwordToken: token, password: NEW_PASSWORD });
const addStaff = (email: string) =>
  callConsole(portal, 'POST', '/staff', { headers: OPERATOR, body: { email, role: 'support' } });
/** Requests a mail and answers the request. */
async function ask(path: string, body: object) {
  await post(path, body);
  await answerMailRequests(portal.deps);
}

async function invite(email: string) {
  const made = await makeInvoice(db());
  const [row] = await db().select().from(customer).where(eq(customer.id, made.customerId));
  const customerNumber = row?.number ?? 0;
  const body = { franchiseId: made.franchiseId, customerNumber, email };
  const { invitationId } = (await callOffice(portal, 'POST', '/invitations', { body })).json();
  const path = `/customers/${made.franchiseId}/${customerNumber}`;
  return { ...made, path: { customer: path, invitation: `${path}/invitations/${invitationId}` } };
}

test.each([
  'register',
  'confirm',
  'reset',
  'accept the invitation',
  'withdraw the invitation',
  'move another account there',
  'add to the staff',
  'mail a confirmation',
])('whatever takes, confirms or frees an unconfirmed address waits in one order: %s', async (first) => {
  const scene = async () => {
    const email = `order${nextNumber()}@example.com`;
    await register(email);
    const confirmation = await linkTo(portal, email);
    const resetLink = await linkFor('reset', email);
    const { path } = await invite(email);
    const { token: passwordToken } = await linkTo(portal, email);
    const other = await signInUser(portal);
    await askEmailChange(portal, other, email);
    const change = await linkIn(portal, { kind: 'email-change', to: email });
    const person = { email, firstName: 'A', lastName: 'B', password: NEW_PASSWORD };
    return {
      email,
      acts: {
        register: () => register(email),
        confirm: () => post('/user/confirm', confirmation),
        reset: () => reset(resetLink),
        'accept the invitation': () => post('/user/acceptinvite', { ...person, passwordToken }),
        'withdraw the invitation': () => callOffice(portal, 'DELETE', path.invitation),
        'move another account there': () => post('/authentication/email/confirm', change),
        'add to the staff': () => addStaff(email),
        'mail a confirmation': () => ask('/user/resendemailconfirmation', { email }),
      },
    };
  };
  await raceFrom(scene, { first, held: 'mail_token' });
});

test('registrations of one address wait in one order, whichever found it free', async () => {
  const email = `order${nextNumber()}@example.com`;
  await register(email);
  await db().execute(sql`DELETE FROM app_user WHERE email = ${email}`);
  const running = await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM limit_counter FOR UPDATE`);
    const first = register(email);
    await expect.poll(waiting).toBe(1);
    await makeUser(portal, { email, emailConfirmedAt: null });
    const second = register(email);
    await expect.poll(waiting).toBe(2);
    return [first, second];
  });
  expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect(retries).toBe(0);
});

test.each([
  'close',
  'reset',
  'accept invitations',
  'end the access',
  'withdraw the invitation',
  'mail a reset',
])('whatever changes or closes an account waits in one order: %s', async (first) => {
  const scene = async () => {
    const email = `order${nextNumber()}@example.com`;
    const { path, customerId, locationId } = await invite(email);
    const { userId, token } = await signInUser(portal, { email });
    await linkLocation(portal, { userId, locationId });
    await linkCustomer(portal, { userId, customerId });
    const resetLink = await linkFor('reset', email);
    return {
      email,
      acts: {
        close: () => post('/user/close', { password: TEST_PASSWORD }, token),
        reset: () => reset(resetLink),
        'accept invitations': () => post('/user/invitations', {}, token),
        'end the access': () => callOffice(portal, 'DELETE', `${path.customer}/people/${userId}`),
        'withdraw the invitation': () => callOffice(portal, 'DELETE', path.invitation),
        'mail a reset': () => ask(`/user/resetpassword?email=${email}`, {}),
      },
    };
  };
  await raceFrom(scene, { first, held: 'mail_token' });
  await raceFrom(scene, { first, held: 'invitation' });
});

test.each(['add again', 'renew the link', 'change', 'enroll'])(
  'whatever invites, changes or enrolls a member of staff waits in one order: %s',
  async (first) => {
    const scene = async () => {
      const email = `order${nextNumber()}@example.com`;
      const { staffId } = (await addStaff(email)).json();
      const path = `/staff/${staffId}`;
      const person = {
        ...(await linkTo(portal, email)),
        firstName: 'A',
        lastName: 'B',
        password: NEW_PASSWORD,
      };
      return {
        email,
        acts: {
          'add again': () => addStaff(email),
          'renew the link': () =>
            callConsole(portal, 'POST', `${path}/link`, { headers: OPERATOR, body: {} }),
          change: () => callConsole(portal, 'PUT', path, { headers: OPERATOR, body: { role: 'finance' } }),
          enroll: () => callConsole(portal, 'POST', '/welcome', { body: person }),
        },
      };
    };
    await raceFrom(scene, { first, held: 'mail_token' });
  },
);

/** Starts an act while its person is locked, and locks what the act must not have locked before it waits for her. */
async function expectPersonFirst(
  act: () => Promise<{ statusCode: number }>,
  { staffId, after }: { staffId: string; after: SQL },
): Promise<void> {
  const { acting } = await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM staff WHERE id = ${staffId} FOR UPDATE`);
    const running = act();
    await expect.poll(waiting).toBe(1);
    await tx.execute(sql`SELECT FROM ${after} FOR UPDATE`);
    return { acting: running };
  });
  expect([(await acting).statusCode, retries]).toEqual([200, 0]);
}

test('a link of the demo waits for its person before its token', async () => {
  const email = 'henry@example.com';
  const made = await callConsole(portal, 'POST', '/demo-links', { headers: OPERATOR, body: { email } });
  const token = new URL(made.json<{ link: string }>().link).searchParams.get('t');
  const { rows } = await db().execute<{ id: string }>(
    sql`SELECT id FROM staff WHERE user_id = (SELECT id FROM app_user WHERE email = ${email})`,
  );
  await expectPersonFirst(() => callConsole(portal, 'POST', '/session/demo', { body: { token } }), {
    staffId: rows[0]?.id ?? '',
    after: sql`mail_token WHERE email = ${email}`,
  });
});

test.each([
  {
    what: 'an app',
    table: 'staff_factor',
    show: async ({ person }: PasskeyOwner, cookie: string) => {
      waitForNextCode(portal);
      const body = { code: codeOf(portal, person) };
      return () => callConsole(portal, 'POST', '/session/totp', { cookie, body });
    },
  },
  {
    what: 'a recovery code',
    table: 'staff_recovery_code',
    show: async ({ person }: PasskeyOwner, cookie: string) => {
      const [code] = await portal.deps.db.transaction((tx) => makeRecoveryCodes(tx, person.staffId));
      return () => callConsole(portal, 'POST', '/session/recovery', { cookie, body: { code } });
    },
  },
  {
    what: 'a passkey',
    table: 'staff_factor',
    show: async ({ passkey }: PasskeyOwner, cookie: string) => {
      const { challenge } = await optionsFor(portal, '/session/passkey/options', { cookie });
      const body = { credential: passkey.get({ challenge, origin: OFFICE_ORIGIN }) };
      return () => callConsole(portal, 'POST', '/session/passkey', { cookie, body });
    },
  },
])('signing in with $what waits for the person before the factor', async ({ table, show }) => {
  const owner = await makePasskeyOwner(portal);
  const { email, staffId } = owner.person;
  const body = { email, password: STAFF_PASSWORD };
  const cookie = cookieOf(await callConsole(portal, 'POST', '/session', { body })) ?? '';
  const after = sql`${sql.identifier(table)} WHERE staff_id = ${staffId}`;
  await expectPersonFirst(await show(owner, cookie), { staffId, after });
});
