import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { signInUser } from '../../../test/factories/users.ts';
import { mailLink, mailsTo } from '../../../test/mail/mailbox.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  type TestPerson,
} from '../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const signIn = ({ email }: { email: string }, password = STAFF_PASSWORD) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password } });

async function makeClerk(): Promise<TestPerson> {
  const { franchiseId } = await makeInvoice(portal.deps.db.query);
  return makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
}

const switchOff = ({ staffId }: TestPerson) =>
  portal.deps.db.query.execute(sql`UPDATE staff SET state = 'off' WHERE id = ${staffId}`);

describe('at the payers’ sign-in', () => {
  test('staff with the right password are sent to the console, and get no token', async () => {
    for (const person of [await makeStaff(portal), await makeClerk()]) {
      const answer = await signIn(person);
      expect([answer.statusCode, answer.json().detail]).toEqual([401, 'RequiresTwoFactor']);
      expect(answer.body).not.toContain('oken');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    const { rows } = await portal.deps.db.query.execute(sql`SELECT FROM session`);
    expect(rows).toEqual([]);
  });

  test('a switched-off person is told so, and whoever does not know the password learns nothing', async () => {
    const clerk = await makeClerk();
    await switchOff(clerk);
    expect((await signIn(clerk)).json()).toMatchObject({ status: 401, detail: 'LockedOut' });
    const wrong = await signIn(clerk, 'not her password');
    expect(wrong.json()).toEqual((await signIn({ email: 'nobody@staff.example' }, 'any')).json());
  });

  test.each([1, 3])('a session of an account that became one of type %d is not renewed', async (type) => {
    const { userId, refreshToken } = await signInUser(portal);
    await portal.deps.db.query.execute(sql`UPDATE app_user SET user_type = ${type} WHERE id = ${userId}`);
    const refreshed = await call(portal, 'POST', '/authentication/refresh', { body: { refreshToken } });
    expect(refreshed.statusCode).toBe(401);
    expect(refreshed.body).not.toContain('ccessToken');
  });

  test('nobody registers with a staff address', async () => {
    const clerk = await makeClerk();
    const answer = await call(portal, 'POST', '/user/register', {
      body: { email: clerk.email, firstName: 'Ana', lastName: 'Ruiz', password: 'nine yellow ladders' },
    });
    expect(answer.json()).toMatchObject({
      status: 400,
      errors: [{ code: 'DuplicateEmail', field: 'email' }],
    });
    expect((await signIn(clerk)).json().detail).toBe('RequiresTwoFactor');
  });
});

describe('mails that staff request', () => {
  test('through either sign-in reset a password only at the console', async () => {
    const clerk = await makeClerk();
    const cookie = await signInStaff(portal, clerk);
    const ask = `/user/resetpassword?email=${encodeURIComponent(clerk.email)}`;
    expect((await call(portal, 'POST', ask)).statusCode).toBe(204);
    const [first] = await mailsTo(portal, clerk.email);
    expect(first && mailLink(first).url.href).toMatch(/^https:\/\/office\.example\.com\/office\/reset\?e=/);

    const asked = await callConsole(portal, 'POST', '/session/reset', { body: { email: clerk.email } });
    expect([asked.statusCode, asked.body]).toEqual([204, '']);
    const [second] = await mailsTo(portal, clerk.email);
    if (!second) throw new Error('no mail');
    const { email, token } = mailLink(second);
    const confirm = (given: object) =>
      callConsole(portal, 'POST', '/session/reset/confirm', {
        body: { email, token, password: 'nine yellow ladders', ...given },
      });
    const elsewhere = await call(portal, 'POST', '/user/confirmresetpassword', {
      body: { email, passwordToken: token, password: 'nine yellow ladders' },
    });
    expect(elsewhere.json().errors).toMatchObject([{ code: 'InvalidToken' }]);
    expect((await confirm({ email: 'else@staff.example' })).json()).toMatchObject({
      status: 400,
      detail: 'This link is not valid any more. Ask for a new one.',
      errors: [{ code: 'InvalidToken' }],
    });
    expect((await confirm({})).statusCode).toBe(204);
    expect((await confirm({})).json().errors).toMatchObject([{ code: 'InvalidToken' }]);

    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);
    const started = await callConsole(portal, 'POST', '/session', {
      body: { email: clerk.email, password: 'nine yellow ladders' },
    });
    expect(started.json()).toEqual({ next: 'totp', methods: ['totp'] });
    expect((await mailsTo(portal, clerk.email))[0]?.kind).toBe('staff-news');
  });

  test('to confirm their address are not sent', async () => {
    const clerk = await makeClerk();
    await portal.deps.db.query.execute(
      sql`UPDATE app_user SET email_confirmed_at = NULL WHERE email = ${clerk.email}`,
    );
    const answer = await call(portal, 'POST', '/user/resendemailconfirmation', {
      body: { email: clerk.email },
    });
    expect(answer.statusCode).toBe(204);
    expect(await mailsTo(portal, clerk.email)).toEqual([]);
  });

  test('are not sent to switched-off staff, and an earlier link does nothing', async () => {
    const clerk = await makeClerk();
    const ask = () => callConsole(portal, 'POST', '/session/reset', { body: { email: clerk.email } });
    await ask();
    const [before] = await mailsTo(portal, clerk.email);
    if (!before) throw new Error('no mail');
    await switchOff(clerk);
    const answer = await ask();
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    await call(portal, 'POST', `/user/resetpassword?email=${encodeURIComponent(clerk.email)}`);
    expect(await mailsTo(portal, clerk.email)).toHaveLength(1);
    const { email, token } = mailLink(before);
    const set = await callConsole(portal, 'POST', '/session/reset/confirm', {
      body: { email, token, password: 'nine yellow ladders' },
    });
    expect(set.json()).toMatchObject({ status: 400, errors: [{ code: 'InvalidToken' }] });
    expect((await signIn(clerk)).json().detail).toBe('LockedOut');
  });

  test('get the same answer for addresses without an account, which get no mail', async () => {
    const { email: customer } = await signInUser(portal);
    for (const email of [customer, 'nobody@staff.example']) {
      const answer = await callConsole(portal, 'POST', '/session/reset', { body: { email } });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect((await mailsTo(portal, email)).map(({ kind }) => kind)).toEqual([]);
    }
  });
});

describe('what lets somebody in at one door', () => {
  test('opens no call behind the other', async () => {
    const cookie = await signInStaff(portal, await makeStaff(portal));
    const { token } = await signInUser(portal);
    for (const { method, path, isPublic } of Object.values(ENDPOINTS)) {
      if (isPublic) continue;
      const answer = await call(portal, method, path.replace(/:\w+/g, '1'), { headers: { cookie } });
      expect([path, answer.statusCode]).toEqual([path, 401]);
    }
    for (const [at, { method, path }] of Object.values(OFFICE_ENDPOINTS).entries()) {
      const answer = await portal.app.inject({
        method,
        // One address per call, because a malformed key counts like a wrong one.
        remoteAddress: `10.1.1.${at}`,
        url: `/api${path.replace(/:\w+/g, '1')}`,
        headers: { host: 'office.example.com', authorization: `Bearer ${token}` },
      });
      // The demo's calls don't exist here.
      expect([path, answer.statusCode]).toEqual([path, /demo/.test(path) ? 404 : 401]);
    }
  });

  test('is ignored as a cookie beside an authorization header', async () => {
    const cookie = await signInStaff(portal, await makeStaff(portal));
    const answer = await callConsole(portal, 'GET', '/me', {
      cookie,
      headers: { authorization: 'Bearer nobody' },
    });
    expect(answer.statusCode).toBe(401);
  });
});
