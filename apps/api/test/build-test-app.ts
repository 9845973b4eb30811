import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildApp } from '../src/app.ts';
import { allowTime } from '../src/db/allow-time.ts';
import type { Deps } from '../src/deps.ts';
import { readEnv } from '../src/env.ts';
import { openDeps } from '../src/open-deps.ts';
import { listViolations } from './books/list-violations.ts';
import { createTestDatabase } from './database/postgres.ts';
import { watchAnswers } from './undeclared-answers.ts';

export const TEST_SECRETS = {
  apiSecret: 'test-api-secret',
  officeApiKey: 'test-office-key',
};

/** The portal's own limit is for payers: on a busy machine, thousands of payments take longer than that to check. */
const CHECK_MILLISECONDS = 100_000;

/** A deployment's settings; a test names only those it is about. */
export function testEnv(overrides: Record<string, string> = {}) {
  return readEnv({
    NODE_ENV: 'test',
    PUBLIC_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgres://unused',
    USAEPAY_URL: 'http://127.0.0.1:1/api/v2',
    USAEPAY_API_KEY: 'unused',
    USAEPAY_PIN: 'unused',
    USAEPAY_PUBLIC_KEY: '_unused',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Brightpane <pay@example.com>',
    API_SECRET: TEST_SECRETS.apiSecret,
    OFFICE_API_KEY: TEST_SECRETS.officeApiKey,
    TOKEN_SECRET: 'a token secret that is only for tests',
    DATA_KEY: 'a data key that is used only in tests',
    LOG_LEVEL: 'silent',
    // A test that keeps its own process busy must not count as overload.
    MAX_LAG_MILLISECONDS: '0',
    ...overrides,
  });
}

export type TestApp = { app: FastifyInstance; deps: Deps; now: Date };

/**
 * The whole app on a fresh database, for one test file. `now` is its clock; set it to move time. Pass a function for
 * settings that are only known once something has started.
 */
export function useTestApp(
  overrides: Record<string, string> | (() => Promise<Record<string, string>>) = {},
  given: Partial<Deps> = {},
): TestApp {
  const held = { now: new Date('2026-11-15T18:00:00Z') } as TestApp;
  let drop: () => Promise<void>;
  let listUndeclared: () => Promise<string[]>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    const settings = typeof overrides === 'function' ? await overrides() : overrides;
    const env = testEnv({ DATABASE_URL: database.url, ...settings });
    held.deps = await openDeps(env, { clock: () => held.now, ...given });
    held.app = await buildApp(held.deps);
    listUndeclared = watchAnswers(held);
  });
  // Whatever a test did, the books' invariants must hold. A brief transaction keeps the plans, and planning this again
  // after each test would take longer than asking.
  afterEach(async () => {
    const violations = await held.deps.db.briefTransaction(async (tx) => {
      await allowTime(tx, { milliseconds: CHECK_MILLISECONDS });
      return listViolations(tx);
    });
    expect(violations).toEqual([]);
  });
  afterAll(async () => {
    const undeclared = await listUndeclared();
    await held.app.close();
    await held.deps.db.close();
    await drop();
    expect(undeclared).toEqual([]);
  });
  return held;
}

/** Makes a call as the web app does: with the shared secret, and with a bearer token if given. */
export function call(
  { app }: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
) {
  return app.inject({
    method,
    url: `/api${path}`,
    headers: {
      'x-apisecret': TEST_SECRETS.apiSecret,
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.body !== undefined && { payload: options.body as object }),
  });
}
