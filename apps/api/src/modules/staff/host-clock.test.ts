import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../test/build-test-app.ts';
import { newestLink } from '../../../test/mail/mailbox.ts';
import { makePasskeyOwner, newPasskeyOf, optionsFor } from '../../../test/office/office-passkeys.ts';
import {
  callConsole,
  cookieOf,
  linkTo,
  makeStaff,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  stepUpFor,
} from '../../../test/office/office-people.ts';
import { createFollowedClock } from '../../db/clock/follow-engine-clock.ts';

// Whatever staff are given expires by the engine's clock. A host whose own clock is an hour off must give it for as
// long, accept it as long and refuse it as soon.

const HOUR_MILLISECONDS = 3_600_000;
const PASSWORD = 'nine yellow ladders';
const BY_OPERATOR = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };

const RealDate = Date;

/** Moves this process's clock ahead. */
function moveProcessClock(milliseconds: number): void {
  class MovedDate extends RealDate {
    constructor(...given: []) {
      if (given.length === 0) super(MovedDate.now());
      else super(...given);
    }
    static override now(): number {
      return RealDate.now() + milliseconds;
    }
  }
  vi.stubGlobal('Date', MovedDate);
}

type Answer = { statusCode: number; body: string };
type Given = {
  what: string;
  /** The table that holds its end; null if it carries its end itself. */
  table: string | null;
  minutes: number;
  /** Issues a new one; returns how it is used. */
  give: () => Promise<() => Promise<Answer>>;
  refused: string;
};

describe.each([
  ['an hour ahead', HOUR_MILLISECONDS],
  ['an hour behind', -HOUR_MILLISECONDS],
])('on a host whose clock is %s', (_, moved) => {
  const clock = createFollowedClock();
  const portal = useTestApp(
    { ...OFFICE_SETTINGS, NODE_ENV: 'development' },
    // A phone's codes only match the host's clock.
    { clock: clock.now, hostClock: () => portal.now },
  );
  beforeEach(async () => {
    moveProcessClock(moved);
    portal.now = new Date();
    await clock.look(portal.deps.db.query);
  });
  afterEach(() => void vi.unstubAllGlobals());

  let invited = 0;
  const inviteStaff = async () => {
    const email = `clock${invited++}@staff.example`;
    const body = { email, role: 'support' };
    const answer = await callConsole(portal, 'POST', '/staff', { headers: BY_OPERATOR, body });
    expect(answer.statusCode).toBe(201);
    return { ...(await linkTo(portal, email)), firstName: 'Cora', lastName: 'Clerk', password: PASSWORD };
  };
  const start = async (email: string) =>
    cookieOf(await callConsole(portal, 'POST', '/session', { body: { email, password: STAFF_PASSWORD } }));
  const signIn = async () => {
    const person = await makeStaff(portal);
    return { person, cookie: await signInStaff(portal, person) };
  };

  const GIVEN: Given[] = [
    {
      what: 'the link to enrol with',
      table: 'mail_token',
      minutes: 72 * 60,
      refused: '400 InvalidToken',
      give: async () => {
        const body = await inviteStaff();
        return () => callConsole(portal, 'POST', '/welcome', { body });
      },
    },
    {
      what: 'the link to a new password',
      table: 'mail_token',
      minutes: 60,
      refused: '400 InvalidToken',
      give: async () => {
        const { email } = await makeStaff(portal);
        await callConsole(portal, 'POST', '/session/reset', { body: { email } });
        const { token } = await newestLink(portal, email);
        const body = { email, token, password: PASSWORD };
        return () => callConsole(portal, 'POST', '/session/reset/confirm', { body });
      },
    },
    {
      what: 'a link of the demo',
      table: 'mail_token',
      minutes: 24 * 60,
      refused: '400 InvalidToken',
      give: async () => {
        const body = { email: 'henry@example.com' };
        const made = await callConsole(portal, 'POST', '/demo-links', { headers: BY_OPERATOR, body });
        const token = new URL(made.json<{ link: string }>().link).searchParams.get('t');
        return () => callConsole(portal, 'POST', '/session/demo', { body: { token } });
      },
    },
    {
      what: 'what a right password opens',
      table: 'office_session',
      minutes: 5,
      refused: '401 SignInExpired',
      give: async () => {
        const { email } = await makeStaff(portal);
        const cookie = await start(email);
        // Still asks for a code, and judges a wrong one.
        return () => callConsole(portal, 'POST', '/session/totp', { cookie, body: { code: '000000' } });
      },
    },
    {
      what: 'what the link to enrol with opens',
      table: 'office_session',
      minutes: 30,
      refused: '401 SignInExpired',
      give: async () => {
        const body = await inviteStaff();
        const cookie = cookieOf(await callConsole(portal, 'POST', '/welcome', { body }));
        return () => callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
      },
    },
    {
      what: 'a session',
      table: 'office_session',
      minutes: 12 * 60,
      refused: '401 SignedOut',
      give: async () => {
        const { cookie } = await signIn();
        return () => callConsole(portal, 'GET', '/me', { cookie });
      },
    },
    {
      what: 'a second factor for one act',
      table: 'step_up',
      minutes: 5,
      refused: '403 StepUpInvalid',
      give: async () => {
        const who = await signIn();
        const body = { password: PASSWORD };
        const path = '/account/password';
        const headers = await stepUpFor(portal, who, { method: 'PUT', path, body });
        return () => callConsole(portal, 'PUT', path, { cookie: who.cookie, headers, body });
      },
    },
    {
      what: 'what a passkey signs',
      table: null,
      minutes: 5,
      refused: '401 PasskeyFailed',
      give: async () => {
        const { passkey } = await makePasskeyOwner(portal);
        const { challenge } = await optionsFor(portal, '/session/passkey/options');
        const body = { credential: passkey.get({ challenge, origin: OFFICE_ORIGIN }) };
        return () => callConsole(portal, 'POST', '/session/passkey', { body });
      },
    },
    {
      what: 'what a new passkey signs',
      table: null,
      minutes: 5,
      refused: '401 PasskeyFailed',
      give: async () => {
        const who = await signIn();
        const { body } = await newPasskeyOf(portal, who);
        const path = '/factors/passkey';
        return async () => {
          const headers = await stepUpFor(portal, who, { method: 'POST', path, body });
          return callConsole(portal, 'POST', path, { cookie: who.cookie, headers, body });
        };
      },
    },
  ];

  const minutesLeft = async (table: string) => {
    const { rows } = await portal.deps.db.query.execute<{ minutes: number }>(sql`
      SELECT extract(epoch FROM max(expires_at) - engine_now())::float8 / 60 AS minutes
        FROM ${sql.identifier(table)}`);
    return rows[0]?.minutes;
  };
  const endAll = (table: string, minutes: number) =>
    portal.deps.db.query.execute(sql`
      UPDATE ${sql.identifier(table)} SET expires_at = engine_now() + ${minutes} * interval '1 minute'`);
  const passMinutes = async (minutes: number) => {
    await advanceEngineClock(portal.deps, minutes * 60);
    await clock.look(portal.deps.db.query);
  };
  const outcomeOf = ({ statusCode, body }: Answer) => {
    const { errors } = (body === '' ? {} : JSON.parse(body)) as { errors?: { code: string }[] };
    return `${statusCode} ${errors?.[0]?.code ?? ''}`.trim();
  };

  test.each(GIVEN)('$what lasts as long as anywhere', async ({ table, minutes, give, refused }) => {
    if (table !== null) await portal.deps.db.query.execute(sql`DELETE FROM ${sql.identifier(table)}`);
    const useEarly = await give();
    if (table === null) {
      await passMinutes(minutes - 1);
    } else {
      const left = await minutesLeft(table);
      expect(left).toBeLessThanOrEqual(minutes + 0.1);
      expect(left).toBeGreaterThan(minutes - 1);
      await endAll(table, 1);
    }
    expect(outcomeOf(await useEarly())).not.toBe(refused);
    const useLate = await give();
    await (table === null ? passMinutes(minutes + 1) : endAll(table, -1));
    expect(outcomeOf(await useLate())).toBe(refused);
  });

  test('a session is idle after half an hour, and no sooner', async () => {
    const { person, cookie } = await signIn();
    const wasSeen = (minutes: number) =>
      portal.deps.db.query.execute(sql`
        UPDATE office_session SET seen_at = engine_now() - ${minutes} * interval '1 minute'
         WHERE staff_id = ${person.staffId}`);
    const ask = async () => outcomeOf(await callConsole(portal, 'GET', '/me', { cookie }));
    await wasSeen(29);
    expect(await ask()).toBe('200');
    await wasSeen(31);
    expect(await ask()).toBe('401 SessionIdle');
  });
});
