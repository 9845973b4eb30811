import { randomUUID } from 'node:crypto';
import type { FoundPayment } from '@brightpane/contract/review';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { callOffice } from '../../../../test/office/office.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
  signInStaff,
} from '../../../../test/office/office-people.ts';
import { storeFoundPayment } from './found-payments.queries.ts';

const portal = useTestApp(OFFICE_SETTINGS);

async function find(
  orderId: string,
  { key, state = 'captured' }: { key: string; state?: 'held' | 'captured' },
) {
  const { query } = portal.deps.db;
  const { rows } = await query.execute<{ id: string }>(sql`SELECT min(id) AS id FROM merchant_account`);
  await storeFoundPayment(query, {
    orderId,
    transactionKey: key,
    accountId: Number(rows[0]?.id),
    reference: `ref-${key}`,
    amountCents: 108_25,
    state,
    isUnnamed: false,
    workOrders: [],
  });
}

const listed = async (orderId: string) =>
  (await callOffice(portal, 'GET', '/found-payments'))
    .json<FoundPayment[]>()
    .filter((each) => each.orderId === orderId);

const acknowledge = (orderId: string, version?: number) =>
  callOffice(portal, 'POST', `/found-payments/${orderId}/settle`, {
    body: {},
    headers: version === undefined ? {} : { 'if-match': `"${version}"` },
  });

const newOrder = () => randomUUID().slice(0, 13);

describe('a found payment', () => {
  test('is acknowledged without the order’s other transaction', async () => {
    const orderId = newOrder();
    await find(orderId, { key: 'one' });
    await find(orderId, { key: 'two' });
    const shown = await listed(orderId);
    expect(shown.map(({ reference }) => reference).sort()).toEqual(['ref-one', 'ref-two']);
    const one = shown.find(({ reference }) => reference === 'ref-one');
    expect((await acknowledge(orderId, one?.version)).statusCode).toBe(200);
    expect(await listed(orderId)).toMatchObject([{ reference: 'ref-two' }]);
  });

  test('is not acknowledged as captured by whoever saw a hold', async () => {
    const orderId = newOrder();
    await find(orderId, { key: 'one', state: 'held' });
    const [held] = await listed(orderId);
    await find(orderId, { key: 'one' });
    for (const other of [held?.version, 2_147_483_648])
      expect(refusalOf(await acknowledge(orderId, other))).toEqual([409, 'EditedMeanwhile']);
    const [captured] = await listed(orderId);
    expect(captured).toMatchObject({ state: 'captured' });
    expect((await acknowledge(orderId, captured?.version)).statusCode).toBe(200);
    expect((await acknowledge(orderId, captured?.version)).statusCode).toBe(404);
  });

  test('is acknowledged by a program under its order alone, by a person only as it was shown', async () => {
    const orderId = newOrder();
    await find(orderId, { key: 'one' });
    await find(orderId, { key: 'two' });
    const cookie = await signInStaff(portal, await makeStaff(portal));
    const path = `/found-payments/${orderId}/settle`;
    const blind = await callConsole(portal, 'POST', path, { cookie, body: {} });
    expect(refusalOf(blind)).toEqual([428, 'VersionRequired']);
    expect((await acknowledge(orderId)).statusCode).toBe(200);
    expect(await listed(orderId)).toEqual([]);
  });
});
