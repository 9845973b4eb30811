import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import {
  callConfirmed,
  callConsole,
  makeSignedIn,
  OFFICE_SETTINGS,
  refusalOf,
  STAFF_PASSWORD,
  signInStaff,
  type TestPerson,
} from '../../../../test/office/office-people.ts';
import { createMailLink } from '../../auth/mailbox/mail-tokens.ts';
import { endSessions } from '../sessions/sessions.queries.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const start = (email: string, password = STAFF_PASSWORD) =>
  callConsole(portal, 'POST', '/session', { body: { email, password } });

let admin: { cookie: string; person: TestPerson };
beforeAll(async () => {
  admin = await makeSignedIn(portal);
});

describe('a person’s own sessions', () => {
  type Session = { sessionId: string; isThis: boolean };
  const sessionsOf = async (cookie: string) =>
    (await callConsole(portal, 'GET', '/account', { cookie })).json<{ sessions: Session[] }>().sessions;
  const isIn = async (cookie: string) =>
    (await callConsole(portal, 'GET', '/me', { cookie })).statusCode === 200;

  test('are seen, and ended one by one or all but this', async () => {
    const { person, cookie } = await makeSignedIn(portal);
    const [second, third] = [await signInStaff(portal, person), await signInStaff(portal, person)];
    const other = (await sessionsOf(second)).find(({ isThis }) => isThis);
    const end = (which: string | undefined) =>
      callConsole(portal, 'DELETE', `/account/sessions/${which}`, { cookie });
    expect(await sessionsOf(cookie)).toHaveLength(3);
    expect((await end(other?.sessionId)).statusCode).toBe(204);
    expect([await isIn(cookie), await isIn(second), await isIn(third)]).toEqual([true, false, true]);
    expect((await end('others')).statusCode).toBe(204);
    expect([await isIn(cookie), await isIn(third)]).toEqual([true, false]);
    // Another person's session isn't found.
    const [hers] = await sessionsOf(admin.cookie);
    expect((await end(hers?.sessionId)).statusCode).toBe(404);
    expect(await isIn(admin.cookie)).toBe(true);
  });

  test('all end with a new password, which needs a second factor', async () => {
    const who = await makeSignedIn(portal);
    const other = await signInStaff(portal, who.person);
    const password = 'nine yellow ladders';
    const changed = await callConfirmed(portal, who, 'PUT', '/account/password', { password });
    expect(changed.statusCode, changed.body).toBe(204);
    expect([await isIn(who.cookie), await isIn(other)]).toEqual([false, false]);
    expect((await start(who.person.email)).statusCode).toBe(401);
    expect((await start(who.person.email, password)).json()).toEqual({ next: 'totp', methods: ['totp'] });
  });

  test('a new password ends a link for resetting it that was mailed before', async () => {
    const who = await makeSignedIn(portal);
    const { deps } = portal;
    const { email } = who.person;
    const link = await deps.db.transaction((tx) =>
      createMailLink(deps, tx, { purpose: 'office-reset', email }),
    );
    const password = 'nine yellow ladders';
    await callConfirmed(portal, who, 'PUT', '/account/password', { password });
    const token = new URL(link).searchParams.get('t');
    const reset = await callConsole(portal, 'POST', '/session/reset/confirm', {
      body: { email, token, password: 'chosen by an intruder' },
    });
    expect(refusalOf(reset)).toEqual([400, 'InvalidToken']);
    expect((await start(email, password)).statusCode).toBe(200);
  });

  test('confirm nothing once they have ended, even for a call that was let in before', async () => {
    const who = await makeSignedIn(portal);
    const { staffId, email } = who.person;
    const ended = await portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM staff WHERE id = ${staffId} FOR UPDATE`);
      const password = 'chosen by an intruder';
      const answer = callConfirmed(portal, who, 'PUT', '/account/password', { password });
      await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
      await endSessions(tx, { staffId, reason: 'new-password' });
      return { answer };
    });
    expect(refusalOf(await ended.answer)).toEqual([403, 'StepUpInvalid']);
    expect((await start(email)).json()).toEqual({ next: 'totp', methods: ['totp'] });
  });
});
