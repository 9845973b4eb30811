import { sql } from 'drizzle-orm';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { useTestApp } from '../../test/build-test-app.ts';
import { outgoingMail } from '../db/schema/operations.ts';
import { checkMail } from './check-mail.ts';
import { noteMailServerAnswer, restMailServer } from './mail-server.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

beforeEach(() => db().delete(outgoingMail));

async function alertsOf(mail: {
  dueSeconds: number | null;
  leasedSeconds?: number;
  /** How long it has waited. */
  ageMinutes?: number;
  recipient?: string;
}): Promise<object[]> {
  const { dueSeconds, leasedSeconds = null, ageMinutes = 10, recipient = 'ana@example.com' } = mail;
  const inSeconds = (seconds: number | null) =>
    sql`clock_timestamp() + make_interval(secs => ${seconds}::float8)`;
  await db().execute(sql`
    INSERT INTO outgoing_mail (kind, recipient, content, created_at, next_try_at, lease_until)
    VALUES ('invitation', ${recipient}, '{}', now() - make_interval(mins => ${ageMinutes}),
            ${inSeconds(dueSeconds)}, ${inSeconds(leasedSeconds)})`);
  const lines: string[] = [];
  const log = pino({ level: 'error', base: null, timestamp: false }, { write: (line) => lines.push(line) });
  await checkMail({ ...portal.deps, log });
  return lines.map((line) => JSON.parse(line));
}

test('alerts about mail that is due for more than a minute', async () => {
  expect(await alertsOf({ dueSeconds: -70 })).toMatchObject([{ late: 1, alert: 'mail is late' }]);
});

test('alerts about mail whose sender died', async () => {
  expect(await alertsOf({ dueSeconds: -200, leasedSeconds: -70 })).toMatchObject([{ late: 1 }]);
});

test.each([
  ['has just become due', { dueSeconds: 0 }],
  ['is to be tried again later', { dueSeconds: 300 }],
  ['is being sent', { dueSeconds: -70, leasedSeconds: 30 }],
  ['was sent, or given up', { dueSeconds: null }],
])('does not alert about mail that %s', async (_what, mail) => {
  expect(await alertsOf(mail)).toEqual([]);
});

const waiting = { dueSeconds: 300, ageMinutes: 20 };

test('does not alert about one recipient who takes nothing while nobody else gets mail', async () => {
  expect(await alertsOf(waiting)).toEqual([]);
  expect(await alertsOf(waiting)).toEqual([]);
});

test('alerts if a mail server that does not answer has taken nothing for a quarter of an hour', async () => {
  await restMailServer(db());
  expect(await alertsOf(waiting)).toMatchObject([{ alert: 'no mail goes out' }]);
  await noteMailServerAnswer(db());
});

test('alerts if several recipients have got nothing for a quarter of an hour, but not once a mail was sent', async () => {
  await alertsOf(waiting);
  expect(await alertsOf({ ...waiting, recipient: 'ben@example.com' })).toMatchObject([
    { alert: 'no mail goes out' },
  ]);
  await db().execute(sql`
    INSERT INTO outgoing_mail (kind, recipient, content, next_try_at, sent_at)
    VALUES ('invitation', 'ana@example.com', '{}', NULL, now() - interval '5 minutes')`);
  expect(await alertsOf(waiting)).toEqual([]);
});
