import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReportReceiver, textOf } from '../../../../e2e/support/report-receiver.ts';
import { call, useTestApp } from '../../test/build-test-app.ts';
import { openGateways } from '../gateway/open-gateways.ts';
import { runJobs } from '../jobs/run-jobs.ts';

const receiver = new ReportReceiver();
const portal = useTestApp(async () => {
  await receiver.start();
  return { SENTRY_DSN: receiver.dsn, LOG_LEVEL: 'error' };
});
beforeEach(() => receiver.forget());
afterAll(() => receiver.stop());

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SECRETS = ['zoe.hidden@example.com', 'juniper lane in november', 'zoe.hidden', 'sixteen-oaks'];

/** Signs in while a table that this needs is missing. */
async function signInWithoutTable() {
  await portal.deps.db.query.execute(sql`ALTER TABLE app_user RENAME TO lost`);
  try {
    return await call(portal, 'POST', '/authentication/login?from=sixteen-oaks', {
      body: { email: SECRETS[0], password: SECRETS[1] },
      headers: { 'sentry-trace': `${TRACE_ID}-b7ad6b7169203331-1`, authorization: 'Bearer sixteen-oaks' },
    });
  } finally {
    await portal.deps.db.query.execute(sql`ALTER TABLE lost RENAME TO app_user`);
  }
}

describe('an unexpected error of a request', () => {
  test('is reported once, with its request and its statement, and with nothing of what was sent', async () => {
    expect((await signInWithoutTable()).statusCode).toBe(500);
    await vi.waitFor(() => {
      expect(receiver.spans).not.toEqual([]);
      expect(receiver.events).not.toEqual([]);
    }, 60_000);

    expect(receiver.events).toHaveLength(1);
    const [event] = receiver.events;
    // Distinguishes the server's reports from a page's.
    expect(event?.platform).toBe('node');
    expect(event?.exception?.values[0]).toMatchObject({ value: expect.stringContaining('42P01') });
    expect(event?.tags?.requestId).toEqual(expect.any(String));
    expect(event?.user).toEqual({ ip_address: '127.0.0.1' });
    expect(receiver.find(SECRETS)).toEqual([]);
  });

  test('is a step of the trace that the browser began, by its route', async () => {
    await signInWithoutTable();
    await vi.waitFor(() => expect(receiver.spans).not.toEqual([]), 60_000);
    expect(receiver.spans).toHaveLength(1);
    expect(receiver.spans[0]).toMatchObject({
      name: 'POST /api/authentication/login',
      trace_id: TRACE_ID,
      parent_span_id: 'b7ad6b7169203331',
      attributes: { 'http.response.status_code': { value: 500 } },
    });
  });
});

test('traces expected answers without reporting them', async () => {
  expect((await call(portal, 'GET', '/user')).statusCode).toBe(401);
  await vi.waitFor(() => expect(receiver.spans).toHaveLength(1), 5_000);
  expect(receiver.spans[0]?.name).toBe('GET /api/user');
  expect(receiver.events).toEqual([]);
});

test('reports an alarm once, without personal data', async () => {
  const facts = { accountId: 1, city: 'Sixteen Oaks', said: `to ${SECRETS[0]}` };
  portal.deps.log.error({ ...facts, alert: 'merchant-keys-refused' }, 'the provider refuses our keys');
  await vi.waitFor(() =>
    expect(receiver.events.map(textOf)).toEqual(['the provider refuses our keys: merchant-keys-refused']),
  );
  expect(receiver.events[0]?.extra).toEqual({ accountId: 1, city: '[masked]', said: 'to [masked]' });
});

test('reports a failing task once, by its name, and traces it', async () => {
  await portal.deps.db.query.execute(
    sql`INSERT INTO mail_request (purpose, email) VALUES ('reset', 'a@example.com')`,
  );
  // Without the hourly task, which might fail on the same table.
  await portal.deps.db.query.execute(sql`DELETE FROM background_lane WHERE name = 'forget-old'`);
  await portal.deps.db.query.execute(sql`ALTER TABLE app_user RENAME TO lost`);
  const jobs = await runJobs(portal.deps);
  // Count only tasks' failures: others raise alerts about the provider, which isn't running.
  const failed = () => receiver.events.flatMap(({ tags }) => tags?.task ?? []);
  await vi.waitFor(() => expect(failed()).not.toEqual([]), 10_000);
  await jobs.stop();
  await portal.deps.db.query.execute(sql`ALTER TABLE lost RENAME TO app_user`);
  expect(failed()).toEqual(['answer-mail-requests']);
  await vi.waitFor(
    () => expect(receiver.spans.map(({ name }) => name)).toContain('answer-mail-requests'),
    5_000,
  );
});

describe('a call to the card provider', () => {
  let asked: IncomingHttpHeaders[] = [];
  const provider = createServer(({ headers }, response) => {
    asked.push(headers);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  beforeAll(async () => {
    asked = [];
    await once(provider.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => provider.close());

  test('is timed without its keys, and gets no trace headers', async () => {
    const { port } = provider.address() as AddressInfo;
    const { trace } = portal.deps.reporter;
    const gateways = openGateways({ baseUrl: `http://127.0.0.1:${port}/api/v2`, trace });
    const keys = { id: 1, apiKey: 'hidden-api-key', pin: 'hidden-pin', publicKey: '' };
    await trace({ name: 'a task', kind: 'queue.task' }, () =>
      gateways.of(keys).find({ transactionKey: 'hidden-transaction-key' }),
    );
    // Traces of earlier tasks may still arrive.
    const steps = () => {
      const task = receiver.spans.find(({ name }) => name === 'a task');
      return receiver.spans.filter(({ trace_id }) => trace_id === task?.trace_id);
    };
    await vi.waitFor(() => expect(steps()).toHaveLength(2), 5_000);
    expect(steps().map(({ name }) => name)).toEqual(['card provider GET /transactions', 'a task']);
    expect(receiver.find(['hidden'])).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('sentry-trace');
    expect(asked[0]).not.toHaveProperty('baggage');
  });
});
