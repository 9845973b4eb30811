import { sql } from 'drizzle-orm';
import pino from 'pino';
import { expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { makeFranchises } from '../../../../test/factories/unpaid-invoices.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareBooks, compareDueBooks } from './compare-books.ts';

const { emulator, portal, db } = usePayments();
const HOUR = 60 * 60;

const SALE = {
  command: 'sale',
  amount: '7.00',
  creditcard: { number: APPROVED_CARD, expiration: '1230' },
};

const select = async (statement: ReturnType<typeof sql>) => (await db().execute(statement)).rows;

test('a nightly comparison that fails on an account keeps what it found on the accounts before, and compares those after it', async () => {
  const [, north, east] = await makeFranchises(portal, emulator, { accounts: 3 });
  for (const merchant of ['portal', 'east']) await emulator.callAs(merchant, 'POST', '/transactions', SALE);
  await advanceEngineClock(portal.deps, 24 * HOUR);
  const { apiKey } = await emulator.merchant(north?.merchant ?? '');
  const gateways = aroundCalls(portal.deps.gateways, 'list', (send, account) =>
    account.apiKey === apiKey ? Promise.reject(new Error('a fault of ours')) : send(),
  );
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const failing = { ...portal.deps, gateways, log };
  await expect(compareDueBooks(failing)).rejects.toThrow('a fault of ours');
  const ofSeven = await select(sql`
    SELECT m.franchise_id AS "franchiseId" FROM book_difference d
      JOIN merchant_account m ON m.id = d.merchant_account_id
     WHERE d.kind = 'not-in-our-books' AND d.amount_cents = 700 ORDER BY m.id`);
  expect(ofSeven).toEqual([{ franchiseId: null }, { franchiseId: east?.franchiseId }]);
  expect(
    logged.filter(({ alert, amount }) => alert === 'the books differ' && amount === '7.00'),
  ).toHaveLength(2);
  expect(logged).toContainEqual(
    expect.objectContaining({ alert: 'the comparison is incomplete', stoppedBy: 'failure' }),
  );
  expect(
    await select(sql`SELECT is_complete AS "isComplete" FROM book_comparison ORDER BY merchant_account_id`),
  ).toEqual([{ isComplete: true }, { isComplete: false }, { isComplete: true }]);
  await advanceEngineClock(portal.deps, HOUR);
  await compareDueBooks(portal.deps);
  expect(await compareBooks(portal.deps)).toMatchObject({ isComplete: true });
});

test('the last comparison is told of all accounts, when a later run has compared only some', async () => {
  const { lastComparison: before } = await differences();
  expect(before).toMatchObject({ isComplete: true, differences: 2 });
  await emulator.callAs('east', 'POST', '/transactions', { ...SALE, orderid: 'by-hand' });
  await advanceEngineClock(portal.deps, 24 * HOUR);
  const { apiKey } = await emulator.merchant('north');
  const gateways = aroundCalls(portal.deps.gateways, 'list', async (send, account) =>
    account.apiKey === apiKey ? { kind: 'unknown' } : send(),
  );
  await compareDueBooks({ ...portal.deps, gateways });
  const { lastComparison: inPart } = await differences();
  expect(inPart).toMatchObject({ isComplete: false, differences: 3 });
  await advanceEngineClock(portal.deps, HOUR);
  await compareDueBooks(portal.deps);
  const { lastComparison } = await differences();
  expect(lastComparison).toMatchObject({ isComplete: true, differences: 3 });
  // The books are as fresh as the account whose comparison is the oldest.
  const [oldest] = await select(sql`SELECT to_json(min(ended_at))#>>'{}' AS at FROM book_comparison`);
  expect(lastComparison.at).toBe(oldest?.at);
  expect(Date.parse(lastComparison.at)).toBeGreaterThan(Date.parse(before.at));
});

const differences = async () => (await callOffice(portal, 'GET', '/differences?state=open')).json();
