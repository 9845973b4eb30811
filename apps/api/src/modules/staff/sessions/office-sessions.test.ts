import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  callConsole,
  codeOf,
  cookieOf,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
  STAFF_PASSWORD,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp({ ...OFFICE_SETTINGS, TRUST_PROXY: '1' });

const start = ({ email }: TestPerson, cookie?: string) =>
  callConsole(portal, 'POST', '/session', { cookie, body: { email, password: STAFF_PASSWORD } });
const show = (cookie: string | undefined, code: string) =>
  callConsole(portal, 'POST', '/session/totp', { cookie, body: { code } });

describe('a session', () => {
  test('does not take the value that a browser came with', async () => {
    const person = await makeStaff(portal);
    const planted = `__Host-office=${'a'.repeat(43)}`;
    const started = await start(person, planted);
    expect(started.statusCode).toBe(200);
    expect(cookieOf(started)).not.toBe(planted);
    waitForNextCode(portal);
    expect(refusalOf(await show(planted, codeOf(portal, person)))).toEqual([401, 'SignInExpired']);
    const shown = await show(cookieOf(started), codeOf(portal, person));
    expect(cookieOf(shown)).not.toBe(planted);
    expect((await callConsole(portal, 'GET', '/me', { cookie: planted })).statusCode).toBe(401);
  });

  test('does nothing for a page that was loaded for somebody else', async () => {
    const { franchiseId, workOrderNumber } = await makeInvoice(portal.deps.db.query);
    const rosa = await makeSignedIn(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const ada = await makeSignedIn(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const path = `/invoices/${franchiseId}/${workOrderNumber}`;
    const note = (loadedFor: string) =>
      callConsole(portal, 'POST', `${path}/notes`, {
        cookie: ada.cookie,
        headers: { 'x-person': loadedFor, 'idempotency-key': 'f00df00df00df00df00df00df00df00d' },
        body: { text: 'She will pay on Friday.' },
      });
    const notes = async () => (await callConsole(portal, 'GET', path, { cookie: ada.cookie })).json().notes;
    expect(refusalOf(await note(rosa.person.staffId))).toEqual([401, 'AnotherPerson']);
    expect(await notes()).toEqual([]);
    const me = await callConsole(portal, 'GET', '/me', { cookie: ada.cookie });
    expect((await note(me.json().staffId)).statusCode).toBe(201);
    expect(await notes()).toHaveLength(1);
  });

  test('counts at the console’s own host only, whatever a client says was forwarded', async () => {
    const { cookie } = await makeSignedIn(portal);
    const me = (headers: Record<string, string>) => callConsole(portal, 'GET', '/me', { cookie, headers });
    expect((await me({})).statusCode).toBe(200);
    const forwarded = { host: 'pay.example.com', 'x-forwarded-host': 'office.example.com' };
    expect((await me(forwarded)).statusCode).toBe(401);
  });

  test('says whom it belongs to, at each step of signing in', async () => {
    const { cookie, person } = await makeSignedIn(portal);
    const other = await makeStaff(portal);
    const half = cookieOf(await start(other)) ?? '';
    const ask = (given: string, loadedFor: string) =>
      callConsole(portal, 'GET', '/me', { cookie: given, headers: { 'x-person': loadedFor } });
    expect((await ask(cookie, person.staffId)).statusCode).toBe(200);
    expect(refusalOf(await ask(half, person.staffId))).toEqual([401, 'AnotherPerson']);
    expect((await ask(half, other.staffId)).statusCode).toBe(401);
  });

  test('waits five minutes for the second factor', async () => {
    const person = await makeStaff(portal);
    for (const [seconds, status] of [
      [270, 200],
      [301, 401],
    ] as const) {
      const started = await start(person);
      await advanceEngineClock(portal.deps, seconds);
      waitForNextCode(portal);
      expect((await show(cookieOf(started), codeOf(portal, person))).statusCode).toBe(status);
    }
  });

  test('ends after twelve hours, however busy; calls in the background do not keep it', async () => {
    const { cookie, person } = await makeSignedIn(portal);
    const of = sql`staff_id = ${person.staffId} AND level = 'full'`;
    const read = (headers: Record<string, string> = {}) =>
      callConsole(portal, 'GET', '/me', { cookie, headers });
    const seen = async () => {
      const { rows } = await portal.deps.db.query.execute(
        sql`SELECT seen_at FROM office_session WHERE ${of}`,
      );
      return rows[0]?.seen_at;
    };
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET seen_at = engine_now() - interval '29 minutes' WHERE ${of}`,
    );
    const before = await seen();
    expect((await read({ 'x-background': '1' })).statusCode).toBe(200);
    expect(await seen()).toEqual(before);
    expect((await read()).statusCode).toBe(200);
    expect(await seen()).not.toEqual(before);
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET expires_at = engine_now() WHERE ${of} AND ended_at IS NULL`,
    );
    expect(refusalOf(await read())).toEqual([401, 'SignedOut']);
  });
});
