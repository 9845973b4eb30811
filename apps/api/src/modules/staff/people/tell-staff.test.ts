import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { fromBase32 } from '../../../../test/office/from-base32.ts';
import {
  callConfirmed,
  callConsole,
  cookieOf,
  linkTo,
  mailsTo,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  type TestPerson,
} from '../../../../test/office/office-people.ts';
import { stepAt, totpCode } from '../factors/totp.ts';

const portal = useTestApp(OFFICE_SETTINGS);

type Signed = { cookie: string; person: TestPerson };

const subjectsTo = async ({ email }: TestPerson) =>
  (await mailsTo(portal, email)).map(({ subject }) => subject).toSorted();

/** Adds an app, which replaces the one before. */
async function addApp(who: Signed): Promise<void> {
  const added = await callConfirmed(portal, who, 'POST', '/factors/totp', {});
  const { factorId, secret } = added.json<{ factorId: string; secret: string }>();
  const code = totpCode(fromBase32(secret), stepAt(portal.now) + 1);
  const body = { factorId, code, name: 'New phone' };
  const confirmed = await callConfirmed(portal, who, 'POST', '/factors/totp/confirm', body);
  expect(confirmed.statusCode, confirmed.body).toBe(200);
}

/** Removes a passkey that she has besides her app. */
async function removePasskey(who: Signed): Promise<void> {
  const factorId = randomUUID();
  await portal.deps.db.query.execute(sql`
    INSERT INTO staff_factor (id, staff_id, kind, name, confirmed_at, credential_id, public_key, sign_count, transports)
    VALUES (${factorId}, ${who.person.staffId}, 'passkey', 'Laptop', engine_now(), ${Buffer.from(factorId)}, '', 0, '{}')`);
  const removed = await callConfirmed(portal, who, 'DELETE', `/factors/${factorId}`);
  expect(removed.statusCode, removed.body).toBe(204);
}

const FIRST = 'A sign-in from a new network';

const NEWS: [string, string[], (who: Signed) => Promise<unknown>][] = [
  ['signing in from where she did before', [], ({ person }) => signInStaff(portal, person)],
  ['replacing the app', ['A second factor was added', 'A second factor was removed'], addApp],
  ['removing a passkey', ['A second factor was removed'], removePasskey],
  [
    'a new password',
    ['Your password for the office was changed'],
    async (who) => {
      const changed = await callConfirmed(portal, who, 'PUT', '/account/password', {
        password: 'nine yellow ladders',
      });
      expect(changed.statusCode, changed.body).toBe(204);
    },
  ],
];

test.each(NEWS)('besides her first sign-in, a person is told of %s', async (_what, news, act) => {
  const who = await makeSignedIn(portal);
  expect(await subjectsTo(who.person)).toEqual([FIRST]);
  await act(who);
  expect(await subjectsTo(who.person)).toEqual([FIRST, ...news].toSorted());
});

test('a reset of factors is told to the person and to all admins', async () => {
  const admin = await makeSignedIn(portal);
  const other = await makeStaff(portal);
  const support = await makeStaff(portal, { role: 'support' });
  const reset = await callConfirmed(portal, admin, 'DELETE', `/staff/${support.staffId}/factors`);
  expect(reset.statusCode, reset.body).toBe(204);
  const news = 'Second factors were reset';
  expect(await subjectsTo(support)).toEqual([news]);
  expect(await subjectsTo(other)).toEqual([news]);
  expect(await subjectsTo(admin.person)).toEqual([FIRST, news]);
});

test('enrolling again after a reset of factors is told, from wherever it comes', async () => {
  const admin = await makeSignedIn(portal);
  const support = await makeSignedIn(portal, { role: 'support' });
  const { email, staffId } = support.person;
  await callConfirmed(portal, admin, 'DELETE', `/staff/${staffId}/factors`);
  await callConfirmed(portal, admin, 'POST', `/staff/${staffId}/link`);
  const before = await subjectsTo(support.person);
  const welcome = { ...(await linkTo(portal, email)), firstName: 'Sue', lastName: 'Support' };
  const welcomed = await callConsole(portal, 'POST', '/welcome', {
    body: { ...welcome, password: 'nine yellow ladders' },
  });
  const cookie = cookieOf(welcomed);
  const added = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
  const { factorId, secret } = added.json<{ factorId: string; secret: string }>();
  const code = totpCode(fromBase32(secret), stepAt(portal.now));
  const confirmed = await callConsole(portal, 'POST', '/factors/totp/confirm', {
    cookie,
    body: { factorId, code, name: 'Phone' },
  });
  expect(confirmed.statusCode, confirmed.body).toBe(200);
  const news = ['A second factor was added', 'Your password for the office was changed'];
  expect(await subjectsTo(support.person)).toEqual([...before, ...news].toSorted());
});

test('the audit says which app a new one replaced', async () => {
  const who = await makeSignedIn(portal);
  await addApp(who);
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT before, after FROM audit_event
     WHERE action = 'add-factor' AND subject = ${`staff ${who.person.staffId}`}`);
  expect(rows).toEqual([
    {
      before: { kind: 'totp', name: 'Phone' },
      after: { kind: 'totp', name: 'New phone' },
    },
  ]);
});
