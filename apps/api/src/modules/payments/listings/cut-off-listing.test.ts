import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { advanceEngineClock, chargesOf, sweep } from '../../../../test/books.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, guestPays } = usePayments();

const HOLDS = 5;
const MINUTES = 90;

async function listingsTaken(): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ pages: number }>(sql`
    SELECT coalesce(sum(listings_in_day), 0)::integer AS pages FROM provider_budget`);
  return rows[0]?.pages ?? 0;
}

const states = async () => (await chargesOf(portal.deps)).map(({ state }) => state);
const list = () => emulator.callAs('portal', 'GET', '/transactions').catch(() => 'cut off');

test('an address that is cut off for listing still captures, asks seldom, and gives holds back once it may list', async () => {
  for (let hold = 0; hold < HOLDS; hold++) {
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    await guestPays(await makeInvoice(portal.deps.db.query));
  }
  await emulator.switch({ listingsPerHour: 1 });
  await list();
  expect(await list()).toBe('cut off');
  for (let minute = 0; minute < MINUTES; minute++) {
    await emulator.advanceClock(60);
    await advanceEngineClock(portal.deps, 60);
    await sweep(portal.deps);
    if (minute === 45) {
      const paid = await guestPays(await makeInvoice(portal.deps.db.query));
      expect(paid.statusCode).toBe(200);
      await sweep(portal.deps);
      expect(await states()).toContain('captured');
    }
  }
  expect((await states()).toSorted()).toEqual(['captured', ...Array(HOLDS).fill('released')]);
  expect(await listingsTaken()).toBeLessThanOrEqual(10);
});
