import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from './build-test-app.ts';
import { makeInvoice } from './factories/invoices.ts';
import { linkLocation, signInUser } from './factories/users.ts';
import { callOffice } from './office/office.ts';

// There are no cookies, so another site's page can't act for anybody. What it can send without a preflight (forms, plain
// text) is refused as well, and opening a URL changes nothing.

const portal = useTestApp();

/** A fingerprint of every table but the limits, which count failures. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await portal.deps.db.query.execute<{ name: string }>(sql`
    SELECT format('%I.%I', n.nspname, c.relname) AS name
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`);
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await portal.deps.db.query.execute<{ print: string | null }>(
      sql`SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS print FROM ${sql.raw(name)} t`,
    );
    prints[name] = rows[0]?.print ?? '';
  }
  return prints;
}

const POSTS = Object.values(ENDPOINTS).filter(({ method }) => method === 'POST');

test.each([
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain; charset=utf-8',
])('what another site’s page may post as %s is refused by every call, and changes nothing', async (type) => {
  const { token } = await signInUser(portal);
  const before = await everything();
  for (const { path } of POSTS) {
    const post = (headers: Record<string, string>) =>
      portal.app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { 'content-type': type, origin: 'https://evil.example', ...headers },
        payload: '{"email":"zoe@example.com"}',
      });
    expect((await post({})).statusCode, path).toBe(401);
    const known = await post({ 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${token}` });
    expect(known.statusCode, path).toBe(415);
    expect(known.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect(await everything()).toEqual(before);
});

test('opening an address changes nothing', async () => {
  const user = await signInUser(portal);
  const made = await makeInvoice(portal.deps.db.query);
  await linkLocation(portal, { ...user, ...made });
  // A key's last use is written once a minute; like a counter, that isn't a change.
  await callOffice(portal, 'GET', '/status');
  const before = await everything();
  const opened: string[] = [];
  for (const { method, path } of Object.values(ENDPOINTS)) {
    const url = path.replace(/:\w+/, String(made.locationId));
    for (const way of ['GET', 'HEAD'] as const) {
      const answer = await portal.app.inject({
        method: way,
        url: `/api${url}?email=zoe@example.com&token=made-up`,
        headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${user.token}` },
      });
      if (answer.statusCode === 200) opened.push(path);
      else expect([400, 404], `${way} ${method} ${path}`).toContain(answer.statusCode);
    }
  }
  expect((await callOffice(portal, 'GET', '/status')).statusCode).toBe(200);
  const invoices = (await call(portal, 'GET', '/user/invoice', { token: user.token })).json();
  for (const link of [invoices[0].pdfLink, invoices[0].pngLink]) {
    const { pathname, search } = new URL(link);
    expect((await portal.app.inject(`${pathname}${search}`)).statusCode).toBe(200);
  }
  for (const url of ['/api/health/live', '/api/health/ready', '/api/openapi.json'])
    await portal.app.inject(url);
  expect(opened.length).toBeGreaterThan(5);
  expect(await everything()).toEqual(before);
});
