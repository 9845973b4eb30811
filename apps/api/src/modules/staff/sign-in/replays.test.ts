import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, useTestApp } from '../../../../test/build-test-app.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';

const portal = useTestApp(OFFICE_SETTINGS);

/** A second instance on the same database. */
const other = {} as TestApp;
beforeAll(async () => {
  other.deps = await openDeps(portal.deps.env, { clock: () => portal.now });
  other.app = await buildApp(other.deps);
});
afterAll(async () => {
  await other.app.close();
  await other.deps.db.close();
});

const start = ({ email }: TestPerson) =>
  callConsole(portal, 'POST', '/session', { body: { email, password: STAFF_PASSWORD } });
const show = (cookie: string | undefined, code: string, at = portal) =>
  callConsole(at, 'POST', '/session/totp', { cookie, body: { code } });

describe('a code', () => {
  test('is good once, whichever instance is asked', async () => {
    const person = await makeStaff(portal);
    const cookies = [cookieOf(await start(person)), cookieOf(await start(person))];
    waitForNextCode(portal);
    const code = codeOf(portal, person);
    const answers = await Promise.all([show(cookies[0], code), show(cookies[1], code, other)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
    const refused = answers.find(({ statusCode }) => statusCode === 401);
    expect(refused?.json()).toMatchObject({
      detail: 'This code was used already. Wait for the next one.',
      errors: [{ code: 'CodeUsed' }],
    });
  });

  test('that signed somebody in confirms nothing afterwards', async () => {
    const { person, cookie } = await makeSignedIn(portal);
    const body = {
      code: codeOf(portal, person),
      act: { method: 'GET', path: '/api/office/staff', body: '' },
    };
    const again = await callConsole(portal, 'POST', '/step-up/totp', { cookie, body });
    expect(again.json()).toMatchObject({ status: 400, errors: [{ code: 'CodeUsed', field: 'code' }] });
  });

  test('does not work again after the host’s clock was set back', async () => {
    const person = await makeStaff(portal);
    waitForNextCode(portal);
    const code = codeOf(portal, person);
    expect((await show(cookieOf(await start(person)), code)).statusCode).toBe(200);
    const later = portal.now;
    for (const minutes of [1, 60]) {
      portal.now = new Date(later.getTime() - minutes * 60_000);
      for (const each of [code, codeOf(portal, person)]) {
        const cookie = cookieOf(await start(person));
        expect((await show(cookie, each)).statusCode).toBe(401);
      }
    }
    portal.now = later;
  });
});

describe('a link', () => {
  test('is spent only by its own POST', async () => {
    const email = 'invited@staff.example';
    const body = { email, role: 'admin' };
    await callConfirmed(portal, await makeSignedIn(portal), 'POST', '/staff', body);
    const link = await linkTo(portal, email);
    const query = new URLSearchParams({ e: link.email, t: link.token });
    for (const path of ['/welcome', '/session/reset/confirm', '/session/demo']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await callConsole(portal, method, `${path}?${query}`);
        expect([404, 405]).toContain(answer.statusCode);
      }
    }
    const names = { firstName: 'Cora', lastName: 'Clerk', password: 'nine yellow ladders' };
    const welcomed = await callConsole(portal, 'POST', '/welcome', { body: { ...link, ...names } });
    expect(welcomed.json()).toEqual({ next: 'enrol' });
  });
});
