import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../src/app.ts';
import { openDatabase } from '../src/db/client.ts';
import { aroundCalls } from './around-calls.ts';
import { call, type TestApp } from './build-test-app.ts';
import { makeOwnRole, type OwnRole } from './database/own-role.ts';
import { useEmulator } from './emulator.ts';
import { makeInvoice } from './factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from './factories/payments/payments.ts';
import { keepLog } from './kept-log.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const kept = keepLog();
/** The same portal under a role of its own, whose password is changed. */
const refused = {} as TestApp;
let role: OwnRole;
let onAuthorized: () => Promise<void> = async () => {};

beforeAll(async () => {
  role = await makeOwnRole(portal.deps.env.DATABASE_URL);
  const db = openDatabase({ url: role.url, poolSize: 5 });
  const gateways = aroundCalls(portal.deps.gateways, 'authorize', async (send) => {
    const answer = await send();
    await onAuthorized();
    return answer;
  });
  refused.deps = { ...portal.deps, db, gateways, log: kept.log };
  refused.app = await buildApp(refused.deps);
});
afterAll(async () => {
  await refused.app.close();
  await refused.deps.db.close();
  await role.drop();
});

const paying = async () =>
  payAsGuest(refused, await guestSale(emulator, await makeInvoice(portal.deps.db.query)));
const look = () =>
  call(refused, 'POST', '/user/invoice/search', {
    body: { franchiseId: 1, workOrderNumber: 1, zipCode: '62704' },
  });

test('while the database refuses our password, every call says so and when to come back, and none is a bug', async () => {
  await role.changePassword();
  const answers = [await look(), await paying()];
  expect(answers.map((each) => [each.statusCode, each.headers['retry-after']])).toEqual([
    [503, '5'],
    [503, '2'],
  ]);
  expect(answers.map((each) => each.json().errors[0].code)).toEqual(['Unreachable', 'Unconfirmed']);
  expect(kept.events().filter(({ level }) => level === 'error')).toEqual([]);
  expect(kept.events()).toContainEqual(
    expect.objectContaining({ err: expect.objectContaining({ code: '28P01' }) }),
  );

  await role.changePasswordBack();
  expect((await look()).statusCode).toBe(404);
});

test('a payment waits for a database that refuses it while the card is being asked', async () => {
  onAuthorized = () => role.changePassword();
  const retried = kept.logged('the decision is tried again');
  const payment = paying();
  await retried;
  await role.changePasswordBack();
  expect((await payment).statusCode).toBe(200);
});
