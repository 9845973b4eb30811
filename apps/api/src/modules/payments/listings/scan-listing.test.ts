import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import { findCurrentAccount } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { listOrderPrefixes } from '../epoch/epoch.queries.ts';
import { type Scan, scanListing } from './scan-listing.ts';

const { emulator, portal } = usePayments();

type Row = Record<string, unknown>;

async function sell(orderid: string): Promise<void> {
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  const sale = { command: 'sale', amount: '1.00', orderid, creditcard };
  await emulator.callAs('portal', 'POST', '/transactions', sale);
}

/** A list of more than one page. */
beforeAll(async () => {
  for (let sale = 0; sale < 110; sale++) await sell(`old-${sale}`);
  for (const orderId of ['found', 'newest']) await sell(orderId);
});

beforeEach(async () => {
  await emulator.clearFaults();
  // Ten pages a minute are few for all of these tests.
  await beginEngineMinute(portal.deps);
});

/** Serves the provider's first page with its rows altered by `change`. */
async function misprint(change: (rows: Row[]) => Row[]): Promise<void> {
  const { data } = await emulator.callAs('portal', 'GET', '/transactions?limit=100');
  await emulator.script({ fault: 'wrong', command: 'list', answer: { data: change(data as Row[]) } });
}

const withoutAmount =
  (orderid: string) =>
  ([newest, ...rows]: Row[]) => [{ key: newest?.key, orderid }, ...rows];

async function orderOfOurs(): Promise<string> {
  const [prefix] = await listOrderPrefixes(portal.deps.db.query);
  if (!prefix) throw new Error('no prefix');
  return `${prefix}newest`;
}

/** Reads until it sees this order. */
async function scanFor(orderId: string): Promise<Scan> {
  const { deps } = portal;
  const account = await findCurrentAccount(deps.db.query, null);
  if (!account) throw new Error('no account');
  const [keys] = await openMerchantKeys(deps, { accountId: account.id });
  return scanListing(deps, {
    gateway: deps.gateways.of(keys),
    accountId: account.id,
    since: await readEngineTime(deps.db.query),
    back: new Date(0),
    until: (seen) => seen.has(orderId),
  });
}

describe('a scan that looks for an order', () => {
  test('ends with the page that shows it', async () => {
    const scan = await scanFor('found');
    expect(scan).toMatchObject({ isComplete: false, stoppedBy: 'found' });
    expect(scan.byOrderId.size).toBe(100);
  });

  test('fetches incomplete rows by key before it ends', async () => {
    await misprint(withoutAmount(await orderOfOurs()));
    const scan = await scanFor('found');
    expect(scan.stoppedBy).toBe('found');
    expect(scan.byOrderId.get('newest')).toMatchObject([{ amountCents: 100 }]);
  });

  test('reads on when such a row does not answer, and is incomplete', async () => {
    await misprint(withoutAmount(await orderOfOurs()));
    await emulator.script({ fault: 'status', status: 500, command: 'get', times: 2 });
    const scan = await scanFor('found');
    expect(scan.stoppedBy).toBeUndefined();
    expect(scan).toMatchObject({ isComplete: false });
    expect(scan.byOrderId.size).toBe(111);
  });

  test('is complete without a row of a stranger that cannot be read', async () => {
    await misprint(withoutAmount('stranger'));
    await emulator.script({ fault: 'status', status: 500, command: 'get', times: 2 });
    expect((await scanFor('nowhere')).isComplete).toBe(true);
  });

  test.each(['[object Object]', '***'])(
    'is incomplete without a row whose order id %j may hide ours',
    async (orderId) => {
      await misprint(withoutAmount(orderId));
      await emulator.script({ fault: 'status', status: 500, command: 'get', times: 2 });
      expect((await scanFor('nowhere')).isComplete).toBe(false);
    },
  );

  test('does not end with a page that does not fit, and reads it again', async () => {
    const { data } = await emulator.callAs('portal', 'GET', '/transactions?limit=250&offset=90');
    const rows = (data as Row[]).filter(({ orderid }) => orderid !== 'old-9');
    await emulator.script({ fault: 'wrong', command: 'list', after: 1, answer: { data: rows } });
    const scan = await scanFor('old-5');
    expect(scan.byOrderId.has('old-9')).toBe(true);
    expect(scan.byOrderId.has('old-5')).toBe(true);
  });
});
