import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../../test/build-test-app.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { makeOfficeKey } from '../../test/factories/office-keys.ts';
import {
  callConfirmed,
  callConsole,
  consoleHeaders,
  makeSignedIn,
  OFFICE_SETTINGS,
  type TestPerson,
} from '../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const run = async (statement: SQL) => (await portal.deps.db.query.execute(statement)).rows;

type Who = { cookie: string; person: TestPerson };

let admin: Who;
let franchiseId: number;
let port: number;
beforeAll(async () => {
  admin = await makeSignedIn(portal);
  ({ franchiseId } = await makeInvoice(portal.deps.db.query));
  await portal.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = portal.app.server.address() as AddressInfo);
});

/** Begins a call over a socket, since an injected one has its body at once. */
function begin(method: string, path: string, headers: Record<string, string>): ClientRequest {
  const sending = request({
    port,
    path: `/api/office${path}`,
    method,
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...headers },
  });
  sending.flushHeaders();
  return sending;
}

async function end(sending: ClientRequest, rest = ''): Promise<{ status: number | undefined; body: string }> {
  sending.end(rest);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: (await answer.setEncoding('utf8').toArray()).join('') };
}

/** Begins a call as a person, and returns once they were let in. */
async function beginAs(
  { cookie, person }: Who,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<ClientRequest> {
  const { staffId } = person;
  await run(
    sql`UPDATE office_session SET seen_at = engine_now() - interval '5 minutes' WHERE staff_id = ${staffId}`,
  );
  const sending = begin(method, path, consoleHeaders({ cookie, headers }));
  await untilSome(sql`
    SELECT FROM office_session WHERE staff_id = ${staffId} AND seen_at > engine_now() - interval '4 minutes'`);
  return sending;
}

async function untilSome(rows: SQL): Promise<void> {
  await expect.poll(async () => (await run(rows)).length, { interval: 5 }).toBe(1);
}

/** Begins to change the franchise's address, as it is stored now. */
async function beginChange(owner: Who): Promise<ClientRequest> {
  const path = `/franchises/${franchiseId}`;
  const { version } = (await callConsole(portal, 'GET', path, owner)).json<{ version: number }>();
  return beginAs(owner, 'PUT', path, { 'if-match': `"${version}"` });
}

const emailOf = async () => (await run(sql`SELECT email FROM franchise WHERE id = ${franchiseId}`))[0];
const NEW_EMAIL = JSON.stringify({ email: 'elsewhere@office.example' });

test.each<[what: string, lose: (who: Who) => Promise<unknown>, status: number]>([
  [
    'was made a viewer',
    ({ person: { staffId } }) =>
      callConfirmed(portal, admin, 'PUT', `/staff/${staffId}`, {
        role: 'viewer',
        franchiseIds: [franchiseId],
      }),
    401,
  ],
  ['signed out', (who) => callConsole(portal, 'DELETE', '/session', who), 401],
  // Directly, as every change of a role signs out.
  [
    'has a lesser role',
    ({ person: { staffId } }) => run(sql`UPDATE staff SET role = 'viewer' WHERE id = ${staffId}`),
    403,
  ],
])('a person who %s while their body arrives changes nothing', async (_what, lose, status) => {
  const owner = await makeSignedIn(portal, { role: 'owner', franchiseIds: [franchiseId] });
  const before = await emailOf();
  const sending = await beginChange(owner);
  sending.write(NEW_EMAIL.slice(0, 5));
  await lose(owner);
  expect((await end(sending, NEW_EMAIL.slice(5))).status).toBe(status);
  expect(await emailOf()).toEqual(before);
});

test('nor does one whose call has no body, and is held open all the same', async () => {
  const owner = await makeSignedIn(portal, { role: 'owner', franchiseIds: [franchiseId] });
  const sending = await beginAs(owner, 'DELETE', `/account/sessions/${randomUUID()}`);
  await callConsole(portal, 'DELETE', '/session', owner);
  expect((await end(sending)).status).toBe(401);
});

test('nor does a key that is revoked while its body arrives', async () => {
  const key = await makeOfficeKey(portal, { franchiseId, rights: ['invite'] });
  const publicId = key.split('_')[1];
  const sending = begin('POST', '/invitations', { authorization: `Bearer ${key}` });
  await untilSome(sql`SELECT FROM office_api_key WHERE public_id = ${publicId} AND last_used_at IS NOT NULL`);
  await run(sql`UPDATE office_api_key SET revoked_at = engine_now() WHERE public_id = ${publicId}`);
  expect((await end(sending, '{}')).status).toBe(401);
});

test('a person who keeps their right is let in however slowly the body arrives', async () => {
  const owner = await makeSignedIn(portal, { role: 'owner', franchiseIds: [franchiseId] });
  const sending = await beginChange(owner);
  expect((await end(sending, NEW_EMAIL)).status).toBe(200);
});

test('nobody unknown is heard out: the refusal comes before the body', async () => {
  const sending = begin('PUT', `/franchises/${franchiseId}`, { authorization: 'Bearer unknown' });
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(401);
  sending.destroy();
});
