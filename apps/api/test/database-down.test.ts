import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../src/app.ts';
import { openDatabase } from '../src/db/client.ts';
import { call, type TestApp, useTestApp } from './build-test-app.ts';
import { useCuttingProxy } from './database/cutting-proxy.ts';
import { makeUser, signInUser, TEST_PASSWORD } from './factories/users.ts';

const line = useCuttingProxy();
const portal = useTestApp();
/** The same portal, with a database connection that can be cut. */
const fragile = {} as TestApp;

beforeAll(async () => {
  const db = openDatabase({ url: line.through(portal.deps.env.DATABASE_URL), poolSize: 5 });
  fragile.deps = { ...portal.deps, db };
  fragile.app = await buildApp(fragile.deps);
});
afterAll(async () => {
  await fragile.app.close();
  await fragile.deps.db.close();
});

test('while the database is away, every call says so and when to come back; then all is as before', async () => {
  const { token } = await signInUser(portal);
  const { email } = await makeUser(portal);
  const calls = {
    signIn: () =>
      call(fragile, 'POST', '/authentication/login', { body: { email, password: TEST_PASSWORD } }),
    invoices: () => call(fragile, 'GET', '/user/invoice', { token }),
    search: () =>
      call(fragile, 'POST', '/user/invoice/search', {
        body: { franchiseId: 1, workOrderNumber: 1, zipCode: '62704' },
      }),
  };
  line.close(true);
  for (const [name, send] of Object.entries(calls)) {
    const answer = await send();
    expect([name, answer.statusCode, answer.headers['retry-after']]).toEqual([name, 503, '5']);
    expect(answer.json()).toMatchObject({
      status: 503,
      detail: 'We cannot reach our records at the moment.',
    });
  }
  const health = async (path: string) => (await fragile.app.inject(`/api/health/${path}`)).statusCode;
  expect([await health('live'), await health('ready')]).toEqual([200, 503]);

  line.close(false);
  for (const send of Object.values(calls)) expect((await send()).statusCode).not.toBe(503);
  expect(await health('ready')).toBe(200);
});
