import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { callOffice } from '../../../../test/office/office.ts';
import {
  callConsole,
  cookieOf,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const OPERATOR = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
const HELD = 'After a restore, your access has to be confirmed. Ask headquarters.';

const KEY = `bpo_Chicago1_${'k'.repeat(43)}`;
const listByKey = () =>
  callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${KEY}` } });
const confirm = (body: object) => callConsole(portal, 'POST', '/staff/confirm', { headers: OPERATOR, body });

test('after a restore nobody gets in before the operator has confirmed it', async () => {
  const [admin, other] = [await makeStaff(portal), await makeStaff(portal)];
  const cookie = await signInStaff(portal, admin);
  await portal.deps.db.query.execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, rights)
    VALUES ('Chicago1', 'Chicago', ${createHash('sha256').update(KEY).digest()}, '{view}')`);
  expect((await listByKey()).statusCode).toBe(200);

  expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
  const start = ({ email }: { email: string }, password = STAFF_PASSWORD) =>
    callConsole(portal, 'POST', '/session', { body: { email, password } });
  expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);
  expect((await start(admin)).json()).toMatchObject({ status: 401, detail: HELD });
  // Said only to somebody who knows the password.
  expect((await start(admin, 'not her password')).json().detail).toBe('Wrong email or password.');
  expect((await listByKey()).json()).toMatchObject({ status: 401, detail: HELD });
  expect((await callOffice(portal, 'GET', '/status')).statusCode).toBe(200);

  expect((await confirm({ email: admin.email })).json()).toEqual({ staff: 1, keys: 0 });
  expect(cookieOf(await start(admin))).toBeDefined();
  expect((await start(other)).json().detail).toBe(HELD);
  expect((await confirm({ key: 'Chicago1' })).json()).toEqual({ staff: 0, keys: 1 });
  expect((await listByKey()).statusCode).toBe(200);
  expect((await confirm({ all: true })).json()).toEqual({ staff: 1, keys: 0 });
  expect(cookieOf(await start(other))).toBeDefined();
});
