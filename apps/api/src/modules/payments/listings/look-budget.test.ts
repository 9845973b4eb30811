import { sql } from 'drizzle-orm';
import pino from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/books.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import type { Deps } from '../../../deps.ts';
import { isOpen } from '../epoch/epoch.queries.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';
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
  for (const { id } of rows) for (let page = 0; page < 9; page++) await takeListing(db(), { accountId: id });
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
