import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../src/log.ts';
import { stepAt, totpCode } from '../src/modules/staff/factors/totp.ts';
import { useTestApp } from './build-test-app.ts';
import { fromBase32 } from './from-base32.ts';
import {
  callConfirmed,
  callConsole,
  cookieOf,
  linkTo,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  waitForNextCode,
} from './office-people.ts';

const lines: string[] = [];
const portal = useTestApp(OFFICE_SETTINGS, {
  log: createLog('trace', { write: (line) => lines.push(line) }),
});

const PASSWORD = 'nine yellow ladders by the pond';
const EMAIL = 'cora.unusual@staff.example';
const NAMES = { firstName: 'Coralinda', lastName: 'Unusualname' };

afterEach(() => void lines.splice(0));

/** Every row of every table, as text; bytes are in hex there. */
async function readTables({ but = [] as string[] } = {}): Promise<Record<string, string>> {
  const { query } = portal.deps.db;
  const { rows } = await query.execute<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts: Record<string, string> = {};
  for (const { name } of rows) {
    if (but.includes(name)) continue;
    const all = await query.execute<{ text: string | null }>(
      sql.raw(`SELECT string_agg(t::text, E'\\n') AS text FROM "${name}" t`),
    );
    texts[name] = all.rows[0]?.text ?? '';
  }
  return texts;
}

const tokenOf = (cookie: string | undefined) => cookie?.split('=')[1] ?? '';

/** What follows the prefix and the id; base64url may hold an underscore of its own. */
const secretOf = (key: string) => key.split('_').slice(2).join('_');

/** Where one of these is, as it is or as its bytes in hex. */
function findIn(texts: Record<string, string>, secrets: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => {
        if (secret.length < 8) throw new Error('too short to be looked for');
        return text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'));
      })
      .map(([name]) => `${name} in ${place}`),
  );
}

/** Enrols, signs in again, shows a second factor and makes a key. Returns everything that must be nowhere. */
async function liveThroughAll() {
  const admin = await makeStaff(portal);
  const who = { person: admin, cookie: await signInStaff(portal, admin) };
  await callConfirmed(portal, who, 'POST', '/staff', { email: EMAIL, role: 'admin' });
  const link = await linkTo(portal, EMAIL);
  const welcomed = await callConsole(portal, 'POST', '/welcome', {
    body: { ...link, ...NAMES, password: PASSWORD },
  });
  const cookie = cookieOf(welcomed);
  const app = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
  const { factorId, secret } = app.json<{ factorId: string; secret: string }>();
  const confirmed = await callConsole(portal, 'POST', '/factors/totp/confirm', {
    cookie,
    body: { factorId, code: totpCode(fromBase32(secret), stepAt(portal.now)), name: 'Phone' },
  });
  expect(confirmed.statusCode, confirmed.body).toBe(200);
  const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] }>();
  const person = { ...admin, email: EMAIL, secret: fromBase32(secret) };
  const full = cookieOf(confirmed) ?? '';

  const started = await callConsole(portal, 'POST', '/session', {
    body: { email: EMAIL, password: PASSWORD },
  });
  const recovered = await callConsole(portal, 'POST', '/session/recovery', {
    cookie: cookieOf(started),
    body: { code: recoveryCodes[0] },
  });
  expect(recovered.statusCode, recovered.body).toBe(200);
  await callConsole(portal, 'POST', '/session', {
    body: { email: EMAIL, password: `${PASSWORD}, once more` },
  });
  const keyBody = { name: 'A program', franchiseId: null, rights: ['view'] };
  const stepUp = await stepUpFor(
    portal,
    { cookie: full, person },
    { method: 'POST', path: '/api-keys', body: keyBody },
  );
  const made = await callConsole(portal, 'POST', '/api-keys', {
    cookie: full,
    headers: { ...stepUp, 'idempotency-key': 'one-key' },
    body: keyBody,
  });
  expect(made.statusCode, made.body).toBe(201);
  const { key } = made.json<{ key: string }>();
  await callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${key}` } });
  await callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${key}x` } });
  const download = await stepUpFor(portal, { cookie: full, person }, { method: 'GET', path: '/audit.csv' });
  await callConsole(portal, 'GET', `/audit.csv?stepUp=${download['x-step-up']}`, { cookie: full });
  return {
    link: link.token,
    secrets: {
      password: PASSWORD,
      'app secret': secret,
      'app bytes': fromBase32(secret).toString('base64'),
      'recovery code': recoveryCodes[0] ?? '',
      'another recovery code': recoveryCodes[1] ?? '',
      'enrolling cookie': tokenOf(cookie),
      'password cookie': tokenOf(cookieOf(started)),
      cookie: tokenOf(full),
      'API key': secretOf(key),
      'second factor': stepUp['x-step-up'] ?? '',
      'second factor of a download': download['x-step-up'] ?? '',
    },
  };
}

describe('what staff show and are shown', () => {
  test('is in no log and in no row, and would be found there', async () => {
    const { link, secrets } = await liveThroughAll();
    const log = lines.join('');
    expect(log).toContain('staff signed in');
    expect(findIn({ log }, { ...secrets, link, email: EMAIL, ...NAMES })).toEqual([]);
    // Of a mail only the link is known, until it has gone out.
    const tables = await readTables();
    expect(findIn(tables, secrets)).toEqual([]);
    expect(findIn(tables, { link })).toEqual(['link in outgoing_mail']);

    portal.deps.log.info({ planted: secrets['recovery code'] }, 'planted');
    await portal.deps.db.query.execute(
      sql`UPDATE app_user SET first_name = ${secrets['app secret']} WHERE email = ${EMAIL}`,
    );
    const spoilt = { log: lines.join(''), ...(await readTables()) };
    expect(findIn(spoilt, secrets)).toEqual(['recovery code in log', 'app secret in app_user']);
  });

  test('is in no log either where the database fails under it', async () => {
    const person = await makeStaff(portal);
    const cookie = await signInStaff(portal, person);
    const body = { name: 'A program', franchiseId: null, rights: ['view'] };
    const stepUp = await stepUpFor(portal, { cookie, person }, { method: 'POST', path: '/api-keys', body });
    const failing = async (table: string, work: () => Promise<{ statusCode: number }>) => {
      await portal.deps.db.query.execute(sql.raw(`ALTER TABLE ${table} RENAME TO ${table}_away`));
      try {
        expect((await work()).statusCode).toBe(500);
      } finally {
        await portal.deps.db.query.execute(sql.raw(`ALTER TABLE ${table}_away RENAME TO ${table}`));
      }
    };
    waitForNextCode(portal);
    await failing('audit_event', () =>
      callConsole(portal, 'POST', '/session', {
        body: { email: person.email, password: 'seven green windows' },
      }),
    );
    await failing('audit_event', () =>
      callConsole(portal, 'POST', '/api-keys', { cookie, headers: stepUp, body }),
    );
    await failing('office_session', () => callConsole(portal, 'GET', '/me', { cookie }));
    const log = lines.join('');
    expect(log).toContain('"level":"error"');
    const secrets = {
      password: 'seven green windows',
      cookie: tokenOf(cookie),
      stepUp: stepUp['x-step-up'] ?? '',
    };
    expect(findIn({ log }, { ...secrets, email: person.email })).toEqual([]);
  });
});
