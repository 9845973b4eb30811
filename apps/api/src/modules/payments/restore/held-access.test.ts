import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { testEnv } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { gatewaySettings } from '../../../../test/factories/payments/payments.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, makeSignedIn, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { openDeps } from '../../../open-deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { compareAfterRestore } from './compare-after-restore.ts';
import { lookAtAccounts } from './look-at-accounts.ts';

const { emulator, portal, guestPays, db } = usePayments(() => OFFICE_SETTINGS);
const KEY = `bpo_Chicago1_${'k'.repeat(43)}`;
const LOOKS_CONFIRM_SECONDS = 16 * 60;

let cookie: string;

const meStatus = async () => (await callConsole(portal, 'GET', '/me', { cookie })).statusCode;
const keyStatus = async () =>
  (await callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${KEY}` } }))
    .statusCode;
const access = async () => ({ session: await meStatus(), key: await keyStatus() });
const GOOD = { session: 200, key: 200 };
const HELD = { session: 401, key: 401 };

async function confirmAll(): Promise<void> {
  const headers = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
  const confirmed = await callConsole(portal, 'POST', '/staff/confirm', { headers, body: { all: true } });
  expect(confirmed.statusCode).toBe(200);
}

/** Staff and the key are in, as the operator left them. */
async function letEverybodyIn(): Promise<void> {
  await confirmAll();
  ({ cookie } = await makeSignedIn(portal));
  expect(await access()).toEqual(GOOD);
}

/** Restores, compares and lets everybody in again. */
async function getOverRestore(): Promise<void> {
  expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
  await compareAfterRestore(portal.deps);
  await letEverybodyIn();
}

/** A payment of these books that only the provider knows. */
async function showUnknownOrder(): Promise<void> {
  const { orderId = '' } = (await chargesOf(portal.deps)).at(-1) ?? {};
  const made = await emulator.callAs('portal', 'POST', '/transactions', {
    command: 'sale',
    amount: '5.00',
    orderid: orderId.replace(/[0-9a-f]{24}$/, randomBytes(12).toString('hex')),
    creditcard: { number: '4000100011112224', expiration: '1230' },
  });
  expect(made).toMatchObject({ result_code: 'A' });
}

const look = (deps = portal.deps) => lookAtAccounts(deps, { franchiseIds: null, patience: 'task' });
const doubt = () => currentEpoch(portal.deps, { doubt: { before: new Date() } });

beforeAll(async () => {
  expect((await guestPays(await makeInvoice(db()))).statusCode).toBe(200);
  await sweep(portal.deps);
  await db().execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, rights)
    VALUES ('Chicago1', 'Chicago', ${createHash('sha256').update(KEY).digest()}, '{view}')`);
});
beforeEach(() => letEverybodyIn());

describe('a restore that only the provider’s list shows', () => {
  beforeEach(() => getOverRestore());

  test('holds access, however often it was held and confirmed before', async () => {
    await doubt();
    await showUnknownOrder();
    await look();
    expect(await access()).toEqual(HELD);
  });

  test('holds access if it shows at another address, which these books never served', async () => {
    const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
    const recovery = await openDeps(
      testEnv({
        DATABASE_URL: portal.deps.env.DATABASE_URL,
        PUBLIC_URL: 'https://recovery.example.com',
        ...settings,
      }),
    );
    await showUnknownOrder();
    await look(recovery);
    expect(await access()).toEqual(HELD);
    await compareAfterRestore(recovery);
    await recovery.db.close();
  });

  test('holds access once the looks of an epoch that held it were confirmed', async () => {
    await advanceEngineClock(portal.deps, LOOKS_CONFIRM_SECONDS);
    await look();
    await letEverybodyIn();
    await showUnknownOrder();
    expect((await callOffice(portal, 'POST', '/reconcile', { body: {} })).statusCode).toBe(200);
    expect(await access()).toEqual(HELD);
  });

  test('doesn’t hold again what was confirmed since its epoch held it', async () => {
    expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
    // Listed late: the comparison didn't show it yet.
    await compareAfterRestore(portal.deps);
    await letEverybodyIn();
    await showUnknownOrder();
    await advanceEngineClock(portal.deps, LOOKS_CONFIRM_SECONDS);
    await look();
    const closed = await callOffice(portal, 'GET', '/status');
    expect(closed.json()).toMatchObject({ payments: { isRestored: true } });
    expect(await access()).toEqual(GOOD);
    await compareAfterRestore(portal.deps);
  });
});
