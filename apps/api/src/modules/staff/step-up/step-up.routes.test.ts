import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  callConsole,
  makeSignedIn,
  OFFICE_SETTINGS,
  refusalOf,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);

let admin: { cookie: string; person: TestPerson };
let franchiseId: number;
beforeAll(async () => {
  ({ franchiseId } = await makeInvoice(portal.deps.db.query));
  admin = await makeSignedIn(portal);
});

describe('a second factor for an act', () => {
  const body = () => ({ email: `${randomUUID()}@staff.example`, role: 'clerk', franchiseIds: [franchiseId] });
  const add = (headers: Record<string, string>, given: unknown, cookie = admin.cookie, path = '/staff') =>
    callConsole(portal, 'POST', path, { cookie, headers, body: given });

  test('is asked for', async () => {
    expect(refusalOf(await add({}, body()))).toEqual([403, 'StepUpRequired']);
  });

  test('is good once, for this call alone, in this session alone', async () => {
    const given = body();
    const another = async (): Promise<Record<string, string>> =>
      stepUpFor(portal, admin, { method: 'POST', path: '/staff', body: given });
    expect(refusalOf(await add(await another(), { ...given, role: 'viewer' }))).toEqual([
      403,
      'StepUpInvalid',
    ]);
    const { email, role, franchiseIds } = given;
    expect(refusalOf(await add(await another(), { role, email, franchiseIds }))).toEqual([
      403,
      'StepUpInvalid',
    ]);
    const elsewhere = await signInStaff(portal, admin.person);
    expect(refusalOf(await add(await another(), given, elsewhere))).toEqual([403, 'StepUpInvalid']);
    const late = await another();
    await portal.deps.db.query.execute(
      sql`UPDATE step_up SET expires_at = engine_now() WHERE used_at IS NULL`,
    );
    expect(refusalOf(await add(late, given))).toEqual([403, 'StepUpInvalid']);
    const good = await another();
    expect((await add(good, given)).statusCode).toBe(201);
    expect(refusalOf(await add(good, given))).toEqual([403, 'StepUpInvalid']);
  });

  test('is not spent by a refused act', async () => {
    const owner = await makeSignedIn(portal, { role: 'owner', franchiseIds: [franchiseId] });
    const path = `/staff/${owner.person.staffId}`;
    const change = { role: 'clerk' };
    const headers = await stepUpFor(portal, owner, { method: 'PUT', path, body: change });
    const put = () => callConsole(portal, 'PUT', path, { cookie: owner.cookie, headers, body: change });
    expect(refusalOf(await put())).toEqual([409, 'NotYourself']);
    expect(refusalOf(await put())).toEqual([409, 'NotYourself']);
  });

  test('that is guessed ends the session', async () => {
    const owner = await makeSignedIn(portal, { role: 'owner', franchiseIds: [franchiseId] });
    const act = { method: 'GET', path: '/api/office/staff', body: '' };
    const guess = () =>
      callConsole(portal, 'POST', '/step-up/totp', { cookie: owner.cookie, body: { code: '000000', act } });
    for (let tries = 0; tries < 5; tries++) expect(refusalOf(await guess())).toEqual([400, 'CodeWrong']);
    expect(refusalOf(await guess())).toEqual([401, 'SignedOut']);
  });
});

describe('what was confirmed', () => {
  test('does not cover another query', async () => {
    const who = await makeSignedIn(portal);
    const headers = await stepUpFor(portal, who, { method: 'GET', path: '/payments.csv?order=newest' });
    const read = (path: string) => callConsole(portal, 'GET', path, { cookie: who.cookie, headers });
    expect(refusalOf(await read('/payments.csv?order=oldest'))).toEqual([403, 'StepUpInvalid']);
    expect(refusalOf(await read('/payments.csv'))).toEqual([403, 'StepUpInvalid']);
    expect((await read('/payments.csv?order=newest')).statusCode).toBe(200);
    expect(refusalOf(await read('/payments.csv?order=newest'))).toEqual([403, 'StepUpInvalid']);
  });

  test('does not cover what follows a second question mark', async () => {
    const who = await makeSignedIn(portal);
    const headers = await stepUpFor(portal, who, { method: 'GET', path: '/payments.csv?search=smith' });
    for (const more of ['?', '?&order=oldest', '?stepUp=x']) {
      const path = `/payments.csv?search=smith${more}`;
      const answer = await callConsole(portal, 'GET', path, { cookie: who.cookie, headers });
      expect(refusalOf(answer)).toEqual([403, 'StepUpInvalid']);
    }
  });

  test('may be in a download’s URL, for a minute', async () => {
    const who = await makeSignedIn(portal);
    const link = async () => {
      const header = await stepUpFor(portal, who, { method: 'GET', path: '/audit.csv' });
      return `/audit.csv?stepUp=${header['x-step-up']}`;
    };
    const read = (path: string) => callConsole(portal, 'GET', path, { cookie: who.cookie });
    expect((await read(await link())).statusCode).toBe(200);
    const late = await link();
    await portal.deps.db.query.execute(
      sql`UPDATE step_up SET expires_at = expires_at - interval '61 seconds' WHERE used_at IS NULL`,
    );
    expect(refusalOf(await read(late))).toEqual([403, 'StepUpInvalid']);
  });

  test('goes with its session', async () => {
    const who = await makeSignedIn(portal);
    const body = { name: 'A program', franchiseId: null, rights: ['view'] };
    const headers = await stepUpFor(portal, who, { method: 'POST', path: '/api-keys', body });
    await callConsole(portal, 'DELETE', '/session', { cookie: who.cookie });
    const add = (cookie: string) => callConsole(portal, 'POST', '/api-keys', { cookie, headers, body });
    expect((await add(who.cookie)).statusCode).toBe(401);
    waitForNextCode(portal);
    expect(refusalOf(await add(await signInStaff(portal, who.person)))).toEqual([403, 'StepUpInvalid']);
  });
});
