import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, guestPays } = usePayments();

async function pass(seconds: number) {
  await emulator.advanceClock(seconds);
  await advanceEngineClock(portal.deps, seconds);
}

async function sellByHand(count: number) {
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  for (let sale = 0; sale < count; sale++) {
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
  }
}

async function secondsToNextLook(): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM next_try_at - engine_now())::float8 AS seconds FROM charge
     WHERE state = 'abandoned'`);
  return rows[0]?.seconds ?? 0;
}

test('a hold that was never made costs two complete listings, and one page for each look before them', async () => {
  await sellByHand(240);
  await pass(2 * 60 * 60);
  await sellByHand(1);
  await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
  await guestPays(await makeInvoice(portal.deps.db.query));
  const stateOf = async () => (await chargesOf(portal.deps)).at(-1)?.state;
  const { deps, pages } = countPages(portal.deps);
  const ofEachLook: number[] = [];
  for (let look = 0; look < 10 && (await stateOf()) === 'abandoned'; look++) {
    const before = pages.length;
    await pass((await secondsToNextLook()) + 0.1);
    await sweep(deps);
    ofEachLook.push(pages.length - before);
  }
  expect(await stateOf()).toBe('absent');
  expect(ofEachLook.at(-1)).toBe(2);
  expect(ofEachLook.at(-2)).toBe(2);
  expect(ofEachLook.slice(0, -2).every((count) => count === 1)).toBe(true);
  expect(ofEachLook.length).toBeLessThanOrEqual(7);
});
