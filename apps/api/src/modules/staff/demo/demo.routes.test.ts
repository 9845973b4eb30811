import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { callConsole, cookieOf, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { CLOCK_MOVED } from '../../../db/clock/follow-engine-clock.ts';
import { TASK_NAMES } from '../../../jobs/task-names.ts';

const demo = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });
const production = useTestApp(OFFICE_SETTINGS);

const KEY = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` };

const makeLink = (email: string) =>
  callConsole(demo, 'POST', '/demo-links', { body: { email }, headers: KEY });
const open = (token: string | null) => callConsole(demo, 'POST', '/session/demo', { body: { token } });

async function signIn(email: string): Promise<string> {
  const { link } = (await makeLink(email)).json<{ link: string }>();
  const opened = await open(new URL(link).searchParams.get('t'));
  return cookieOf(opened) ?? '';
}

describe('where the demo runs', () => {
  test('a link signs in one of its people, once', async () => {
    await makeInvoice(demo.deps.db.query, { franchiseId: 11 });
    const { link } = (await makeLink('olive@example.com')).json<{ link: string }>();
    expect(link).toMatch(/^https:\/\/office\.example\.com\/office\/demo\?t=[\w-]{43}$/);
    const token = new URL(link).searchParams.get('t');
    const opened = await open(token);
    expect(opened.json()).toMatchObject({
      firstName: 'Olive',
      lastName: 'Reyes',
      role: 'owner',
      franchises: [{ franchiseId: 11 }],
      isDemo: true,
    });
    const again = await open(token);
    expect(again.json()).toMatchObject({
      status: 400,
      detail: 'This link was used already. Get a new one with: npm run portal -- staff demo-link',
      errors: [{ code: 'InvalidToken' }],
    });
  });

  test('a link works after a restart too, which may have been a restore', async () => {
    await makeLink('henry@example.com');
    await demo.deps.db.query.execute(sql`UPDATE staff SET held_at = engine_now()`);
    expect(await signIn('henry@example.com')).not.toBe('');
  });

  test('headquarters see every franchise', async () => {
    const cookie = await signIn('henry@example.com');
    const me = await callConsole(demo, 'GET', '/me', { cookie });
    expect(me.json()).toMatchObject({ firstName: 'Henry', lastName: 'Park', role: 'admin' });
  });

  test('its people confirm with a button', async () => {
    const cookie = await signIn('henry@example.com');
    const act = {
      method: 'POST',
      path: '/api/office/staff',
      body: createHash('sha256').update('{}').digest('hex'),
    };
    const confirmed = await callConsole(demo, 'POST', '/step-up/demo', { cookie, body: { act } });
    expect(confirmed.json()).toEqual({ stepUp: expect.any(String), expiresAt: expect.any(String) });
  });

  test('a link works only for its people and staff', async () => {
    expect((await makeLink('nobody@example.com')).statusCode).toBe(404);
  });
});

test('its clock can be advanced, and waiting work follows it', async () => {
  const now = async () => {
    const { rows } = await demo.deps.db.query.execute<{ now: number }>(
      sql`SELECT extract(epoch FROM engine_now())::float8 AS now`,
    );
    return rows[0]?.now ?? 0;
  };
  const woken: string[] = [];
  const forget = demo.deps.db.wakeUps.onWake(({ task }) => woken.push(task));
  const before = await now();
  const moved = await callConsole(demo, 'POST', '/demo-clock', {
    body: { seconds: 3 * 86_400 },
    headers: KEY,
  });
  forget();
  const ahead = (await now()) - before - 3 * 86_400;
  expect([ahead >= 0, ahead < 3_600]).toEqual([true, true]);
  expect(Date.parse(moved.json<{ now: string }>().now) / 1000).toBeGreaterThanOrEqual(before + 3 * 86_400);
  expect(woken).toEqual([CLOCK_MOVED, ...TASK_NAMES]);
});

test.each([
  ['POST', '/demo-clock', { seconds: 60 }],
  ['POST', '/session/demo', { token: 'any' }],
  ['POST', '/step-up/demo', { act: {} }],
  ['POST', '/demo-links', { email: 'henry@example.com' }],
] as const)('elsewhere %s %s does not exist', async (method, path, body) => {
  const answer = await callConsole(production, method, path, { body, headers: KEY });
  expect(answer.statusCode).toBe(404);
});
