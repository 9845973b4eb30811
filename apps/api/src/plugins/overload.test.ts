import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { chargesOf } from '../../test/books/compare-ledgers.ts';
import { call, TEST_SECRETS, useTestApp } from '../../test/build-test-app.ts';
import { useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import {
  gatewaySettings,
  guestSale,
  payAsGuest,
  usePaymentsApp,
} from '../../test/factories/payments/payments.ts';
import { signInUser } from '../../test/factories/users.ts';
import { callOffice } from '../../test/office/office.ts';
import { PROTECTIVE_HEADERS } from '../http/protective-headers.ts';
import { watchLoad } from '../load.ts';

const emulator = useEmulator();
const SHOP = 'https://shop.example.com';

const portal = useTestApp(async () => ({
  CORS_ORIGINS: SHOP,
  DATABASE_POOL_SIZE: '2',
  MAX_LAG_MILLISECONDS: '400',
  ...gatewaySettings(emulator, await emulator.merchant('portal')),
}));

/**
 * Never rejects because of time. Uses another address, because the provider's orders of the
 * first portal aren't its own.
 */
const patient = usePaymentsApp(emulator, () => ({
  PUBLIC_URL: 'https://patient.example.com',
  DATABASE_POOL_SIZE: '2',
  MAX_LAG_MILLISECONDS: '3600000',
}));

const search = () =>
  call(portal, 'POST', '/user/invoice/search', {
    body: { franchiseId: 1, workOrderNumber: 2, zipCode: '62704' },
  });

/** Keeps the whole pool busy with a statement queued, until that has waited too long. */
async function fillPool(): Promise<() => Promise<void>> {
  const { pool } = portal.deps.db;
  const held = [await pool.connect(), await pool.connect()];
  const queued = pool.query('SELECT 1');
  const watch = watchLoad(pool, { maxLagMilliseconds: 400 });
  await expect.poll(watch.late, { timeout: 4_000 }).toBe('pool');
  watch.stop();
  return async () => {
    for (const client of held) client.release();
    await queued;
  };
}

let free: (() => Promise<void>) | undefined;
afterEach(async () => {
  await free?.();
  free = undefined;
});

describe('while what waits for the database waits too long', () => {
  test('calls are turned away at once, with the time to come back, and the word of what was charged is not given', async () => {
    const sale = await guestSale(emulator, await makeInvoice(portal.deps.db.query));
    free = await fillPool();
    for (const answer of [await search(), await payAsGuest(portal, sale)]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.json()).toEqual({
        title: 'Service Unavailable',
        status: 503,
        detail: 'We are busy at the moment.',
        errors: [{ code: 'Busy', description: 'We are busy at the moment.' }],
      });
    }
    expect(await portal.deps.metrics.registry.metrics()).toContain(
      'portal_turned_away_total{reason="pool"} 2',
    );
    await free();
    free = undefined;
    await expect.poll(async () => (await payAsGuest(portal, sale)).statusCode).toBe(200);
  });

  test('a refusal has the headers of every answer, and a page of another site may read it', async () => {
    free = await fillPool();
    const answer = await portal.app.inject({ url: '/api/user/invoice', headers: { origin: SHOP } });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({
      ...PROTECTIVE_HEADERS,
      'strict-transport-security': expect.any(String),
      'access-control-allow-origin': SHOP,
    });
  });

  test('answers health checks', async () => {
    free = await fillPool();
    expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
  });
});

test('while too many read, the next call is turned away, and whoever waits or pays is answered', async () => {
  const { pool, query } = patient.deps.db;
  const { token } = await signInUser(patient);
  const url = await patient.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${token}` };
  const list = (method = 'GET') => fetch(`${url}/api/user/invoice`, { headers, method });
  const goOn = await emulator.hold();
  const paying = payAsGuest(patient, await guestSale(emulator, await makeInvoice(query)));
  await expect
    .poll(async () => (await chargesOf(patient.deps)).at(-1)?.state, { interval: 10 })
    .toBe('authorising');

  const held = [await pool.connect(), await pool.connect()];
  onTestFinished(() => {
    for (const client of held.splice(0)) client.release();
  });
  let soon = 0;
  const calls = Array.from({ length: 60 }, async (_, at) => {
    const { status, headers } = await list(at % 2 === 0 ? 'GET' : 'HEAD');
    soon += 1;
    return `${status} ${headers.get('retry-after') ?? ''}`;
  });
  await expect.poll(() => soon).toBe(20);
  expect((await fetch(`${url}/api/health/live`)).status).toBe(200);
  await goOn();
  for (const client of held.splice(0)) client.release();
  expect((await paying).statusCode).toBe(200);
  const answers = Object.groupBy(await Promise.all(calls), (answer) => answer);
  expect(Object.keys(answers).sort()).toEqual(['200 ', '503 2']);
  expect(answers['200 ']).toHaveLength(40);
  expect(await patient.deps.metrics.registry.metrics()).toContain(
    'portal_turned_away_total{reason="calls"} 20',
  );
  expect((await list()).status).toBe(200);
});

test('searches of the console that hang, however many, keep no guest from looking up an invoice and paying it', async () => {
  const { db } = patient.deps;
  const other = db.beside({ poolSize: 2, applicationName: 'other' });
  const invoice = await makeInvoice(db.query);
  const sale = await guestSale(emulator, invoice);
  const lock = await other.pool.connect();
  await lock.query('BEGIN; LOCK TABLE search_word IN ACCESS EXCLUSIVE MODE');
  onTestFinished(async () => {
    lock.release();
    await other.close();
  });
  let soon = 0;
  const searches = Array.from({ length: 60 }, async () => {
    const answer = await callOffice(patient, 'GET', '/customers?search=oak+maple');
    soon += 1;
    return `${answer.statusCode} ${answer.headers['retry-after']}`;
  });
  await expect.poll(() => soon).toBe(20);
  const waiting = () =>
    other.pool.query(`SELECT FROM pg_locks WHERE relation = 'search_word'::regclass AND NOT granted`);
  await expect.poll(async () => (await waiting()).rowCount).toBe(2);

  const { franchiseId, workOrderNumber, zipCode } = invoice;
  const found = await call(patient, 'POST', '/user/invoice/search', {
    body: { franchiseId, workOrderNumber, zipCode },
  });
  expect(found.statusCode).toBe(200);
  expect((await payAsGuest(patient, sale)).statusCode).toBe(200);
  await lock.query('ROLLBACK');
  const answers = await Promise.all(searches);
  expect(answers.filter((answer) => answer === '503 2').length).toBeGreaterThanOrEqual(20);
  expect((await callOffice(patient, 'GET', '/customers?search=oak+maple')).statusCode).toBe(200);
});

test('rejects calls while the event loop is late, and ignores a single pause', async () => {
  const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
  const block = (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };
  block(460);
  await tick();
  expect((await search()).statusCode).toBe(404);
  // Let the timer that notices run in between.
  for (let pause = 0; pause < 3; pause++) {
    block(460);
    await tick();
  }
  const refused = await search();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  await expect.poll(async () => (await search()).statusCode).toBe(404);
});

test('an ending instance tells its proxy, answers what still arrives, and keeps no connection', async () => {
  portal.deps.underWay.end();
  const ready = await portal.app.inject('/api/health/ready');
  expect([ready.statusCode, ready.json().detail]).toEqual([503, 'This instance is ending.']);
  expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
  const answer = await search();
  expect([answer.statusCode, answer.headers.connection]).toEqual([404, 'close']);
});
