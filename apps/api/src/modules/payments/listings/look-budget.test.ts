import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import type { Deps } from '../../../deps.ts';
import { openDeps } from '../../../open-deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { isOpen } from '../epoch/epoch.queries.ts';
import { leaseLook, storeLook } from '../epoch/looks.queries.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';
import { lookAtAccounts, lookForPayer } from '../restore/look-at-accounts.ts';
import { startComparison } from '../restore/start-comparison.ts';
import { takeListing } from './listings.queries.ts';

const { emulator, portal, db } = usePayments();

/** A list of two pages without an order of ours. */
beforeAll(async () => {
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  for (let sale = 0; sale < 110; sale++) {
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
  }
});

/** Leaves one page of this minute's budget. */
async function spendBudget(): Promise<void> {
  await beginEngineMinute(portal.deps);
  const { rows } = await db().execute<{ id: number }>(sql`SELECT id::integer FROM merchant_account`);
  for (const { id } of rows)
    for (let page = 0; page < 9; page++) await takeListing(db(), { accountId: id, urgency: 'payer' });
}

const mayPay = () =>
  isOpen(db(), { publicUrl: portal.deps.env.PUBLIC_URL, franchiseIds: [], seen: portal.deps.books.newest() });

/** Looks as the lane does, and returns its alerts. */
async function look(deps: Deps): Promise<string[]> {
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => errors.push(JSON.parse(line).alert) });
  await compareAfterRestore({ ...deps, log });
  return errors;
}

async function expectToGoOn(): Promise<void> {
  await spendBudget();
  const { deps, pages } = countPages(portal.deps);
  expect(await look(deps)).toEqual([]);
  expect(await look(deps)).toEqual([]);
  expect([await mayPay(), pages.length]).toEqual([false, 1]);
  const { rows } = await db().execute<{ attempts: number }>(sql`SELECT attempts FROM account_look`);
  expect(rows).toEqual([{ attempts: 0 }]);
  await advanceEngineClock(portal.deps, 61);
  expect(await look(deps)).toEqual([]);
  expect([await mayPay(), pages.length]).toEqual([true, 2]);
}

describe('a look by several instances', () => {
  /** Another instance on this database. */
  let elsewhere: Deps;
  const payments = () => ({ publicUrl: portal.deps.env.PUBLIC_URL, franchiseIds: [] });

  beforeEach(async () => {
    elsewhere = await openDeps(portal.deps.env, { clock: portal.deps.clock });
    await beginEngineMinute(portal.deps);
    await db().execute(sql`UPDATE account_look SET epoch = NULL`);
  });
  afterEach(() => elsewhere.db.close());

  test('reads the list once, and a payer waits for it at each of them', async () => {
    const here = countPages(portal.deps);
    const there = countPages(elsewhere);
    const open = await Promise.all([here, there].map(({ deps }) => lookForPayer(deps, payments())));
    expect(open).toEqual([true, true]);
    expect(here.pages.length + there.pages.length).toBe(2);
  });

  test('is taken over from one that died', async () => {
    const { epoch } = await currentEpoch(portal.deps);
    const { rows } = await db().execute<{ id: number }>(sql`SELECT id::integer FROM merchant_account`);
    for (const { id: accountId } of rows) {
      const look = { publicUrl: payments().publicUrl, accountId, epoch };
      expect(await leaseLook(db(), { ...look, patience: 'payer' })).toBe(true);
      expect(await leaseLook(db(), { ...look, patience: 'payer' })).toBe(false);
    }
    const looking = lookForPayer(elsewhere, payments());
    await advanceEngineClock(portal.deps, 11);
    expect(await looking).toBe(true);
  });

  test('that confirms an earlier one reads the list once too, and waits after one that failed', async () => {
    const [here, there] = [countPages(portal.deps), countPages(elsewhere)];
    const confirm = async () => {
      const before = here.pages.length + there.pages.length;
      const task = { franchiseIds: null, patience: 'task' } as const;
      await Promise.all([here, there].map(({ deps }) => lookAtAccounts(deps, task)));
      return here.pages.length + there.pages.length - before;
    };
    expect(await lookForPayer(portal.deps, payments())).toBe(true);
    expect(await confirm()).toBe(0);
    await advanceEngineClock(portal.deps, 15 * 60 + 1);
    await emulator.script({ fault: 'status', status: 500, command: 'list' });
    expect(await confirm()).toBe(1);
    expect(await confirm()).toBe(0);
    expect(await mayPay()).toBe(true);
    await advanceEngineClock(portal.deps, 6);
    expect(await confirm()).toBe(2);
    expect(await confirm()).toBe(0);
  });

  test('that began before the database changed again neither opens nor closes an account', async () => {
    const { epoch } = await currentEpoch(portal.deps);
    const { rows } = await db().execute<{ id: number }>(sql`SELECT id::integer FROM merchant_account`);
    await db().execute(sql`UPDATE books_epoch SET mark = 'of another database'`);
    expect(await lookForPayer(portal.deps, payments())).toBe(true);
    for (const { id: accountId } of rows) {
      const look = { publicUrl: payments().publicUrl, accountId, epoch };
      expect(await leaseLook(db(), { ...look, patience: 'payer' })).toBe(false);
      await storeLook(db(), { ...look, confirmBack: new Date() });
    }
    expect(await mayPay()).toBe(true);
  });
});

test('a look by a clock that was days ahead makes no later restore look back less far', async () => {
  await db().execute(sql`UPDATE account_look SET looked_at = engine_now() + interval '5 days'`);
  await db().execute(sql`UPDATE books_epoch SET mark = 'of another database'`);
  await currentEpoch(portal.deps);
  const { rows } = await db().execute<{ isAhead: boolean }>(sql`
    SELECT complete_until > engine_now() AS "isAhead" FROM account_look`);
  expect(rows).toEqual([{ isAhead: false }]);
});

describe('the minute’s listing budget, spent in the middle of', () => {
  test('a look, lets it resume where it stopped without an alert', async () => {
    await db().execute(sql`
      UPDATE account_look SET epoch = NULL, complete_until = engine_now() - interval '90 days'`);
    await expectToGoOn();
  });

  test('a comparison after a restore, lets it resume where it stopped without an alert', async () => {
    await startComparison(portal.deps, {
      actor: { id: null, name: 'office' },
      since: new Date(Date.now() - 90 * 86_400_000),
    });
    await expectToGoOn();
  });
});
