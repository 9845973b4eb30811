import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import {
  makePasskeyOwner,
  newPasskeyOf,
  optionsFor as options,
  type Passkey,
} from '../../../../test/office/office-passkeys.ts';
import {
  callConsole,
  cookieOf,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  refusalOf,
  STAFF_PASSWORD,
  type TestPerson,
} from '../../../../test/office/office-people.ts';
import { createSoftwarePasskey } from '../../../../test/office/software-passkey.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const optionsFor = (path: string, given: Parameters<typeof options>[2] = {}) => options(portal, path, given);

const show = (credential: unknown, cookie?: string) =>
  callConsole(portal, 'POST', '/session/passkey', { cookie, body: { credential } });

function pass(seconds: number): void {
  portal.now = new Date(portal.now.getTime() + seconds * 1000);
}

async function refusedPasskeys({ staffId }: TestPerson): Promise<number> {
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT FROM audit_event WHERE action = 'refuse-factor' AND subject = ${`staff ${staffId}`}`,
  );
  return rows.length;
}

describe('a passkey', () => {
  test('signs in alone, and after a password', async () => {
    const { person, passkey } = await makePasskeyOwner(portal);
    const alone = await optionsFor('/session/passkey/options');
    expect(alone).toMatchObject({ rpId: 'office.example.com', userVerification: 'required' });
    const shown = await show(passkey.get({ challenge: alone.challenge, origin: OFFICE_ORIGIN }));
    expect(shown.json()).toMatchObject({ email: person.email });

    const started = await callConsole(portal, 'POST', '/session', {
      body: { email: person.email, password: STAFF_PASSWORD },
    });
    expect(started.json()).toEqual({ next: 'passkey', methods: ['passkey', 'totp'] });
    const cookie = cookieOf(started) ?? '';
    const after = await optionsFor('/session/passkey/options', { cookie });
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(alone).toSorted());
    const credential = passkey.get({ challenge: after.challenge, origin: OFFICE_ORIGIN });
    expect((await show(credential, cookie)).statusCode).toBe(200);
  });

  test('confirms the act for which it was asked, and no other', async () => {
    const { cookie, passkey } = await makePasskeyOwner(portal);
    const bytes = JSON.stringify({ email: 'new@staff.example', role: 'admin' });
    const act = {
      method: 'POST',
      path: '/api/office/staff',
      body: createHash('sha256').update(bytes).digest('hex'),
    };
    const ask = () => optionsFor('/step-up/passkey/options', { cookie, body: { act } });
    const confirm = (credential: unknown, given: object) =>
      callConsole(portal, 'POST', '/step-up/passkey', { cookie, body: { credential, act: given } });
    const first = passkey.get({ ...(await ask()), origin: OFFICE_ORIGIN });
    const other = await confirm(first, { ...act, path: '/api/office/api-keys' });
    expect(refusalOf(other)).toEqual([401, 'PasskeyFailed']);
    const confirmed = await confirm(passkey.get({ ...(await ask()), origin: OFFICE_ORIGIN }), act);
    const headers = { 'x-step-up': confirmed.json<{ stepUp: string }>().stepUp };
    const done = await callConsole(portal, 'POST', '/staff', { cookie, headers, body: JSON.parse(bytes) });
    expect(done.statusCode).toBe(201);
  });

  test('signs in for almost five minutes after it was asked for', async () => {
    const { person, passkey } = await makePasskeyOwner(portal);
    const options = await optionsFor('/session/passkey/options');
    pass(5 * 60 - 1);
    const shown = await show(passkey.get({ ...options, origin: OFFICE_ORIGIN }));
    expect(shown.json()).toMatchObject({ email: person.email });
  });

  test('resumes an idle session', async () => {
    const { person, cookie, passkey } = await makePasskeyOwner(portal);
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET seen_at = engine_now() - interval '31 minutes' WHERE staff_id = ${person.staffId}`,
    );
    const { challenge } = await optionsFor('/session/passkey/options', { cookie });
    const resumed = await callConsole(portal, 'POST', '/session/resume', {
      cookie,
      body: { credential: passkey.get({ challenge, origin: OFFICE_ORIGIN }) },
    });
    expect(resumed.json()).toMatchObject({ email: person.email });
  });
});

test('signs in, whatever strangers ask for at the same address', async () => {
  const { person, cookie, passkey } = await makePasskeyOwner(portal);
  await portal.deps.db.query.execute(sql`DELETE FROM office_challenge`);
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => callConsole(portal, 'POST', '/session/passkey/options', { body: {} })),
  );
  expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
  expect(new Set(answers.map((answer) => answer.json().challenge)).size).toBe(300);
  const { challenge } = await optionsFor('/session/passkey/options');
  const shown = await show(passkey.get({ challenge, origin: OFFICE_ORIGIN }));
  expect(shown.json()).toMatchObject({ email: person.email });
  expect((await newPasskeyOf(portal, { cookie })).body).toMatchObject({ name: 'Laptop' });
  // Only a challenge that somebody's passkey has signed is kept, so asking costs no row.
  const stranger = createSoftwarePasskey();
  const unknown = stranger.get({ ...(await optionsFor('/session/passkey/options')), origin: OFFICE_ORIGIN });
  expect(refusalOf(await show(unknown))).toEqual([401, 'PasskeyFailed']);
  const { rows } = await portal.deps.db.query.execute(sql`SELECT FROM office_challenge`);
  expect(rows).toHaveLength(1);
});

describe('refused and audited is a passkey', () => {
  const cases: [string, (owner: { cookie: string; passkey: Passkey }) => Promise<unknown>][] = [
    [
      'with another page’s origin',
      async ({ passkey }) =>
        passkey.get({ ...(await optionsFor('/session/passkey/options')), origin: 'https://evil.example' }),
    ],
    [
      'for another site',
      async ({ passkey }) =>
        passkey.get({
          ...(await optionsFor('/session/passkey/options')),
          origin: OFFICE_ORIGIN,
          rpId: 'evil.example',
        }),
    ],
    [
      'that nobody unlocked',
      async ({ passkey }) =>
        passkey.get({
          ...(await optionsFor('/session/passkey/options')),
          origin: OFFICE_ORIGIN,
          isVerified: false,
        }),
    ],
    [
      'whose challenge was for something else',
      async ({ cookie, passkey }) =>
        passkey.get({ ...(await optionsFor('/factors/passkey/options', { cookie })), origin: OFFICE_ORIGIN }),
    ],
    [
      'whose challenge nobody made',
      async ({ passkey }) =>
        passkey.get({ challenge: Buffer.alloc(32).toString('base64url'), origin: OFFICE_ORIGIN }),
    ],
    [
      'whose challenge was for another session',
      async ({ cookie, passkey }) => {
        await portal.deps.db.query.execute(
          sql`UPDATE office_session SET seen_at = engine_now() - interval '31 minutes'`,
        );
        const { challenge } = await optionsFor('/session/passkey/options', { cookie });
        return passkey.get({ challenge, origin: OFFICE_ORIGIN });
      },
    ],
    [
      'whose challenge was altered',
      async ({ passkey }) => {
        const challenge = Buffer.from((await optionsFor('/session/passkey/options')).challenge, 'base64url');
        challenge[0] = (challenge[0] ?? 0) ^ 1;
        return passkey.get({ challenge: challenge.toString('base64url'), origin: OFFICE_ORIGIN });
      },
    ],
    [
      'whose challenge was lengthened',
      async ({ passkey }) => {
        const { challenge } = await optionsFor('/session/passkey/options');
        const longer = Buffer.concat([Buffer.from(challenge, 'base64url'), Buffer.alloc(1)]);
        return passkey.get({ challenge: longer.toString('base64url'), origin: OFFICE_ORIGIN });
      },
    ],
    [
      'whose challenge was made five minutes ago',
      async ({ passkey }) => {
        const credential = passkey.get({
          ...(await optionsFor('/session/passkey/options')),
          origin: OFFICE_ORIGIN,
        });
        pass(5 * 60);
        return credential;
      },
    ],
    [
      'that has signed this before',
      async ({ passkey }) => {
        const options = await optionsFor('/session/passkey/options');
        const credential = passkey.get({ ...options, origin: OFFICE_ORIGIN });
        expect((await show(credential)).statusCode).toBe(200);
        return credential;
      },
    ],
    [
      'whose counter goes back',
      async ({ passkey }) => {
        for (let times = 0; times < 2; times++) {
          const options = await optionsFor('/session/passkey/options');
          await show(passkey.get({ ...options, origin: OFFICE_ORIGIN }));
        }
        passkey.passkey.counter = 0;
        return passkey.get({ ...(await optionsFor('/session/passkey/options')), origin: OFFICE_ORIGIN });
      },
    ],
  ];

  test.each(cases)('%s', async (_what, make) => {
    const owner = await makePasskeyOwner(portal);
    const refused = await show(await make(owner));
    expect(refusalOf(refused)).toEqual([401, 'PasskeyFailed']);
    expect(refused.json().detail).toBe('We could not confirm this passkey. Try again, or use your password.');
    expect(await refusedPasskeys(owner.person)).toBe(1);
  });

  test('of another person than the password’s', async () => {
    const owner = await makePasskeyOwner(portal);
    const other = await makePasskeyOwner(portal);
    const started = await callConsole(portal, 'POST', '/session', {
      body: { email: owner.person.email, password: STAFF_PASSWORD },
    });
    const cookie = cookieOf(started) ?? '';
    const { challenge } = await optionsFor('/session/passkey/options', { cookie });
    const credential = other.passkey.get({ challenge, origin: OFFICE_ORIGIN });
    expect(refusalOf(await show(credential, cookie))).toEqual([401, 'PasskeyFailed']);
    expect(await refusedPasskeys(other.person)).toBe(1);
  });
});
