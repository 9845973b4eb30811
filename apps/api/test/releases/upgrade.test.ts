import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { migrate } from '../../src/db/migrate.ts';
import { watchOnce } from '../../src/modules/payments/restore/watch-books.ts';
import { openDeps } from '../../src/open-deps.ts';
import { chargesOf, compareLedgers } from '../books/compare-ledgers.ts';
import { listViolations } from '../books/list-violations.ts';
import { sweepUntilDone } from '../books/sweep.ts';
import { call, type TestApp, testEnv } from '../build-test-app.ts';
import type { TestDatabase } from '../database/postgres.ts';
import { useEmulator } from '../emulator.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { gatewaySettings, guestSale, payAsGuest } from '../factories/payments/payments.ts';
import { TEST_PASSWORD } from '../factories/users.ts';
import { callOffice } from '../office/office.ts';
import { loadRelease, V01 } from './load-release.ts';

const emulator = useEmulator();
let database: TestDatabase;
let portal: TestApp;

beforeAll(async () => {
  database = await loadRelease(emulator, V01);
  await migrate(database.url);
  const merchant = await emulator.merchant('portal');
  const deps = await openDeps(
    testEnv({ DATABASE_URL: database.url, ...gatewaySettings(emulator, merchant) }),
  );
  portal = { deps, app: await buildApp(deps), now: new Date() };
});
afterAll(async () => {
  await portal.app.close();
  await portal.deps.db.close();
  await database.drop();
});

const states = async () => (await chargesOf(portal.deps)).map(({ state }) => state).toSorted();
const review = async () =>
  (await callOffice(portal, 'GET', '/review')).json<{ chargeId: string; state: string }[]>();

test('a portal of today goes on where v0.1 stopped, in the middle of every kind of payment', async () => {
  expect(await listViolations(portal.deps.db.query)).toEqual([]);
  expect(await states()).toEqual(
    [
      ...['abandoned', 'absent', 'accepted', 'accepted', 'authorised', 'authorising', 'authorising'],
      ...['capture_failed', 'captured', 'captured', 'captured', 'conflict', 'refused'],
      ...['released', 'released', 'releasing', 'reversing', 'unresolved', 'unresolved'],
    ].toSorted(),
  );

  await watchOnce(portal.deps);
  const made = await makeInvoice(portal.deps.db.query, { franchiseId: 9_000, workOrderNumber: 9_000 });
  const answer = await payAsGuest(portal, await guestSale(emulator, made));
  expect(answer.statusCode, answer.body).toBe(200);

  const waiting = await review();
  expect(waiting.map(({ state }) => state).toSorted()).toEqual([
    'accepted',
    'conflict',
    'reversing',
    'unresolved',
    'unresolved',
  ]);
  for (const { chargeId } of waiting.filter(({ state }) => state === 'unresolved')) {
    const released = await callOffice(portal, 'POST', `/review/${chargeId}/release`);
    if (released.statusCode === 409) await callOffice(portal, 'POST', `/review/${chargeId}/close`);
  }
  await sweepUntilDone(portal.deps);
  expect(await states()).toEqual(
    [
      ...['absent', 'absent', 'absent', 'capture_failed', 'capture_failed'],
      ...Array(6).fill('captured'),
      ...['conflict', 'refused', ...Array(7).fill('released')],
    ].toSorted(),
  );
  expect((await review()).map(({ state }) => state)).toEqual(['conflict']);
  expect(await listViolations(portal.deps.db.query)).toEqual([]);
  expect(await compareLedgers(portal.deps, emulator)).toEqual([]);
});

test('an account from v0.1 signs in, and finds its due invoices and saved card', async () => {
  const signedIn = await call(portal, 'POST', '/authentication/login', {
    body: { email: 'robin@example.com', password: TEST_PASSWORD },
  });
  expect(signedIn.statusCode, signedIn.body).toBe(200);
  const { accessToken: token } = signedIn.json<{ accessToken: string }>();
  expect((await call(portal, 'GET', '/user/invoice', { token })).json()).toHaveLength(3);
  expect((await call(portal, 'GET', '/usaepay/portal/paymentmethods', { token })).json()).toMatchObject([
    { maskedCard: expect.stringMatching(/2224$/) },
  ]);
});
