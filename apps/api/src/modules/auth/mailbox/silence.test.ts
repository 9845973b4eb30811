import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type TestApp, testEnv } from '../../../../test/build-test-app.ts';
import { createTestDatabase } from '../../../../test/database/postgres.ts';
import { mailLink, mailsTo } from '../../../../test/mail/mailbox.ts';
import { buildApp } from '../../../app.ts';
import { describeError } from '../../../log.ts';
import { openDeps } from '../../../open-deps.ts';

const lines: string[] = [];
const portal = { now: new Date('2026-11-15T18:00:00Z') } as TestApp;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  const log = pino(
    { level: 'trace', serializers: { err: describeError } },
    { write: (line: string) => void lines.push(line) },
  );
  portal.deps = await openDeps(testEnv({ DATABASE_URL: database.url }), { log, clock: () => portal.now });
  portal.app = await buildApp(portal.deps);
});
afterAll(async () => {
  await portal.app.close();
  await portal.deps.db.close();
  await drop();
});

test('what people type and what they are sent is in no line of the log, whatever goes wrong', async () => {
  const email = 'zoe.secretive@example.com';
  const password = 'a password nobody may read';
  const post = (path: string, body?: unknown) => call(portal, 'POST', path, { body });
  const person = { email, firstName: 'Zoesecretive', lastName: 'Millersecretive', password, userType: 2 };
  const secrets = [email, password, 'zoe', 'secretive', encodeURIComponent(email)];
  const newest = async () => {
    const [mail] = await mailsTo(portal, email);
    if (!mail) throw new Error('no mail');
    const { token } = mailLink(mail);
    secrets.push(token);
    return token;
  };

  await post('/user/register', person);
  await post('/user/register', person);
  await post('/authentication/login', { email, password });
  await post('/user/confirm', { email, token: 'wrong' });
  await post('/user/confirm', { email, token: await newest() });
  await post('/authentication/login', { email, password: `${password}!` });
  const { accessToken, refreshToken } = (await post('/authentication/login', { email, password })).json();
  secrets.push(accessToken, refreshToken);
  await call(portal, 'GET', '/user', { token: accessToken });
  await call(portal, 'GET', '/user', { token: `${accessToken}x` });
  const second = (await post('/authentication/refresh', { refreshToken })).json().refreshToken;
  const third = (await post('/authentication/refresh', { refreshToken: second })).json().refreshToken;
  secrets.push(second, third);
  await post('/authentication/refresh', { refreshToken });
  await post(`/user/resetpassword?email=${encodeURIComponent(email)}`);
  portal.now = new Date(portal.now.getTime() + 1000);
  await post('/user/confirmresetpassword', {
    email,
    passwordToken: await newest(),
    password: `${password}?`,
  });
  for (let failures = 0; failures < 8; failures++)
    await post('/authentication/login', { email, password: 'no' });
  // A name that the database refuses causes an unexpected error, whose log must not contain the input.
  await portal.deps.db.pool.query(
    'ALTER TABLE app_user ADD CONSTRAINT refuses_one_name CHECK (first_name <> $$Zoesecretive$$) NOT VALID',
  );
  const broken = await post('/user/register', { ...person, email: `other.${email}` });
  expect(broken.statusCode).toBe(500);
  expect(broken.json()).toEqual({
    title: 'Internal Server Error',
    status: 500,
    detail: 'Internal server error',
    errors: [],
    requestId: expect.any(String),
  });

  const log = lines.join('\n');
  for (const event of [
    'registered',
    'email confirmed',
    'signed in',
    'sign-in failed',
    'sign-in refused',
    'an old refresh token was used',
    'account mail requested',
    'password reset',
    'too many attempts',
    'unexpected error',
  ]) {
    expect(log).toContain(event);
  }
  for (const secret of secrets) expect(log.toLowerCase()).not.toContain(secret.toLowerCase());
});
