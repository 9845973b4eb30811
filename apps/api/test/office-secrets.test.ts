import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReportReceiver } from '../../../e2e/support/report-receiver.ts';
import { createLog } from '../src/log.ts';
import { deliverMail } from '../src/mail/deliver-mail.ts';
import { stepAt, totpCode } from '../src/modules/staff/factors/totp.ts';
import { useTestApp } from './build-test-app.ts';
import { useMailServer } from './mail/mail-server.ts';
import { fromBase32 } from './office/from-base32.ts';
import {
  callConfirmed,
  callConsole,
  cookieOf,
  linkTo,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from './office/office-people.ts';

const lines: string[] = [];
const receiver = new ReportReceiver();
const mailServer = useMailServer();
const portal = useTestApp(
  async () => {
    await receiver.start();
    return { ...OFFICE_SETTINGS, SMTP_URL: mailServer.url, SENTRY_DSN: receiver.dsn };
  },
  { log: createLog('trace', { write: writeLine }) },
);
afterAll(() => receiver.stop());

/** Keeps each line, and reports it as a deployment's log does. */
function writeLine(line: string): void {
  lines.push(line);
  portal.deps?.reporter.takeLine(line);
}

const PASSWORD = 'nine yellow ladders by the pond';
const EMAIL = 'cora.unusual@staff.example';
const NAMES = { firstName: 'Coralinda', lastName: 'Unusualname' };

beforeEach(() => {
  lines.splice(0);
  receiver.forget();
});

/** Every row of every table as text, with bytes in hex. */
async function readTables(): Promise<Record<string, string>> {
  const { query } = portal.deps.db;
  const { rows } = await query.execute<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts: Record<string, string> = {};
  for (const { name } of rows) {
    const all = await query.execute<{ text: string | null }>(
      sql.raw(`SELECT string_agg(t::text, E'\\n') AS text FROM "${name}" t`),
    );
    texts[name] = all.rows[0]?.text ?? '';
  }
  return texts;
}

const tokenOf = (cookie: string | undefined) => cookie?.split('=')[1] ?? '';

/** What follows the prefix and the id; base64url may contain an underscore itself. */
const secretOf = (key: string) => key.split('_').slice(2).join('_');

/** Where one of these secrets is, as text or as bytes in hex. */
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

/** Every file about people's acts and payments, each downloaded with its own second factor in the URL. */
async function downloadAll(who: { cookie: string; person: TestPerson }) {
  const texts: Record<string, string> = {};
  const stepUps: string[] = [];
  for (const path of ['/payments.csv', '/invoices.csv', '/audit.csv']) {
    const { 'x-step-up': stepUp = '' } = await stepUpFor(portal, who, { method: 'GET', path });
    const file = await callConsole(portal, 'GET', `${path}?stepUp=${stepUp}`, { cookie: who.cookie });
    expect(file.statusCode, file.body).toBe(200);
    texts[path] = file.body;
    stepUps.push(stepUp);
  }
  return { texts, stepUps };
}

/** What the console shows about people, keys and acts. */
async function readLists(cookie: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const path of ['/me', '/account', '/staff', '/api-keys', '/audit']) {
    const { body, statusCode } = await callConsole(portal, 'GET', path, { cookie });
    expect(statusCode, body).toBe(200);
    texts[path] = body;
  }
  return texts;
}

/** The mail that arrived, after delivering what waited. */
async function readMails(): Promise<string> {
  await deliverMail(portal.deps);
  return mailServer.received.map(({ subject, text, html }) => [subject, text, html].join('\n')).join('\n');
}

/** Reports and traces, once the last call's trace has arrived. */
async function readReports(lastCall: string): Promise<string> {
  await vi.waitFor(() => expect(receiver.spans.map(({ name }) => name)).toContain(lastCall), 30_000);
  return receiver.transcript;
}

/** Enrolls, signs in again, confirms with a second factor and makes a key. Returns what must appear nowhere. */
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
  const files = await downloadAll({ cookie: full, person });
  return {
    link: link.token,
    files: files.texts,
    answers: await readLists(full),
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
      ...Object.fromEntries(files.stepUps.map((each, index) => [`second factor of download ${index}`, each])),
    },
  };
}

describe('what staff show and are shown', () => {
  test('is in no log, row, report, trace, count, mail, list or file, and would be found there', async () => {
    const { link, secrets, files, answers } = await liveThroughAll();
    const log = lines.join('');
    expect(log).toContain('staff signed in');
    expect(findIn({ log }, { ...secrets, link, email: EMAIL, ...NAMES })).toEqual([]);
    // Of a mail, only the link is known until it has gone out.
    const tables = await readTables();
    expect(findIn(tables, secrets)).toEqual([]);
    expect(findIn(tables, { link })).toEqual(['link in outgoing_mail']);
    expect(findIn({ ...files, ...answers }, { ...secrets, link })).toEqual([]);
    const reports = await readReports('GET /api/office/audit');
    const metrics = await portal.deps.metrics.registry.metrics();
    expect(metrics).toContain('/api/office/session/totp');
    expect(findIn({ reports, metrics }, { ...secrets, link, email: EMAIL, ...NAMES })).toEqual([]);
    const mails = await readMails();
    expect(findIn({ mails }, { ...secrets, link })).toEqual(['link in mails']);

    portal.deps.log.error({ planted: secrets['recovery code'] }, 'planted');
    portal.deps.metrics.providerCalls.inc({ result: secrets.password });
    await portal.deps.db.query.execute(
      sql`UPDATE app_user SET first_name = ${secrets['app secret']} WHERE email = ${EMAIL}`,
    );
    await vi.waitFor(() => expect(receiver.events).not.toEqual([]), 30_000);
    const spoilt = {
      log: lines.join(''),
      reports: receiver.transcript,
      metrics: await portal.deps.metrics.registry.metrics(),
      ...(await readTables()),
    };
    expect(findIn(spoilt, secrets).toSorted()).toEqual([
      'app secret in app_user',
      'password in metrics',
      'recovery code in log',
      'recovery code in reports',
    ]);
  });

  test('is in no log and no report either where the database fails under it', async () => {
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
    await vi.waitFor(() => expect(receiver.events).toHaveLength(3), 30_000);
    const reports = await readReports('GET /api/office/me');
    expect(findIn({ log, reports }, { ...secrets, email: person.email })).toEqual([]);
  });
});
