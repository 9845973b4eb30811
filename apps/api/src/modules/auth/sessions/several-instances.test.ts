import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, type TestApp, testEnv, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  makeUser,
  type SignedInUser,
  signInUser,
  startSessionOf,
  TEST_PASSWORD,
} from '../../../../test/factories/users.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
/** Two more instances that share only the database. */
const others: TestApp[] = [];

beforeAll(async () => {
  for (let count = 0; count < 2; count++) {
    const { DATABASE_URL } = portal.deps.env;
    const deps = await openDeps(testEnv({ DATABASE_URL, TRUST_PROXY: '1' }), { clock: () => portal.now });
    others.push({ deps, app: await buildApp(deps), now: portal.now });
  }
});
afterAll(async () => {
  for (const { app, deps } of others) {
    await (app as FastifyInstance).close();
    await deps.db.close();
  }
});

const anyOf = (turn: number): TestApp => [portal, ...others][turn % 3] ?? portal;

test('failures at three instances count as if there were one', async () => {
  const { email } = await makeUser(portal);
  const signIn = (turn: number, password: string) =>
    call(anyOf(turn), 'POST', '/authentication/login', {
      body: { email, password },
      headers: { 'x-forwarded-for': '10.4.0.1' },
    });
  for (let turn = 0; turn < 5; turn++) expect((await signIn(turn, 'wrong')).statusCode).toBe(401);
  for (let turn = 5; turn < 8; turn++) expect((await signIn(turn, TEST_PASSWORD)).statusCode).toBe(429);
});

test('misses of a look-up at three instances count together', async () => {
  const made = await makeInvoice(portal.deps.db.query);
  const search = (turn: number, zipCode: string) =>
    call(anyOf(turn), 'POST', '/user/invoice/search', {
      body: { franchiseId: made.franchiseId, workOrderNumber: made.workOrderNumber, zipCode },
      headers: { 'x-forwarded-for': '10.4.0.2' },
    });
  for (let turn = 0; turn < 5; turn++) expect((await search(turn, `1000${turn}`)).statusCode).toBe(404);
  for (let turn = 5; turn < 8; turn++) expect((await search(turn, made.zipCode)).statusCode).toBe(429);
});

test('a session of one instance works and refreshes at the others', async () => {
  const user = await signInUser(portal);
  const refreshed = await call(anyOf(1), 'POST', '/authentication/refresh', {
    body: { refreshToken: user.refreshToken },
  });
  expect(refreshed.statusCode).toBe(200);
  const me = await call(anyOf(2), 'GET', '/user', { token: refreshed.json().accessToken });
  expect(me.json().id).toBe(user.userId);
});

test('twenty concurrent refreshes at three instances get one successor', async () => {
  const user = await signInUser(portal);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      call(anyOf(turn), 'POST', '/authentication/refresh', { body: { refreshToken: user.refreshToken } }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.json().refreshToken)).size).toBe(1);
});

type Ending = (user: SignedInUser) => Promise<{ statusCode: number }>;
const endings: [string, Ending][] = [
  [
    'is signed out',
    ({ refreshToken }) => call(portal, 'POST', '/authentication/logout', { body: { refreshToken } }),
  ],
  [
    'is ended in the list',
    ({ token }) => call(portal, 'DELETE', `/user/sessions/${sessionOf(token)}`, { token }),
  ],
  [
    'is one of the others',
    async (user) =>
      call(portal, 'DELETE', '/user/sessions', {
        token: (await startSessionOf(portal.deps, user)).accessToken,
      }),
  ],
  [
    'is of a closed account',
    ({ token }) => call(portal, 'POST', '/user/close', { token, body: { password: TEST_PASSWORD } }),
  ],
];

test.each(endings)('a session that %s at one instance soon ends at the others', async (_how, end) => {
  const user = await signInUser(portal);
  const [elsewhere] = others;
  if (!elsewhere) throw new Error('no second instance');
  const statusElsewhere = async () =>
    (await call(elsewhere, 'GET', '/user', { token: user.token })).statusCode;
  expect(await statusElsewhere()).toBe(200);
  expect((await end(user)).statusCode).toBeLessThan(300);
  expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
  await expect.poll(statusElsewhere).toBe(401);
});

test('another instance rereads the ended sessions once a second', async () => {
  const user = await signInUser(portal);
  const [elsewhere] = others;
  if (!elsewhere) throw new Error('no second instance');
  await call(elsewhere, 'GET', '/user', { token: user.token });
  await call(portal, 'DELETE', `/user/sessions/${sessionOf(user.token)}`, { token: user.token });
  const clock = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 1_001);
  try {
    expect((await call(elsewhere, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
  } finally {
    later.mockRestore();
  }
});

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;
