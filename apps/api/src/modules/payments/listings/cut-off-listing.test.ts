import { expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, guestPays } = usePayments();

const HOLDS = 5;
const MINUTES = 90;

const states = async () => (await chargesOf(portal.deps)).map(({ state }) => state);
const list = () => emulator.callAs('portal', 'GET', '/transactions').catch(() => 'cut off');

test('an address blocked for listing still captures, asks seldom, and releases holds once it may list', async () => {
  for (let hold = 0; hold < HOLDS; hold++) {
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    await guestPays(await makeInvoice(portal.deps.db.query));
  }
  await emulator.switch({ listingsPerHour: 1 });
  await list();
  expect(await list()).toBe('cut off');
  const { deps, pages } = countPages(portal.deps);
  for (let minute = 0; minute < MINUTES; minute++) {
    await emulator.advanceClock(60);
    await advanceEngineClock(deps, 60);
    await sweep(deps);
    if (minute === 45) {
      const paid = await guestPays(await makeInvoice(portal.deps.db.query));
      expect(paid.statusCode).toBe(200);
      await sweep(deps);
      expect(await states()).toContain('captured');
    }
  }
  expect((await states()).toSorted()).toEqual(['captured', ...Array(HOLDS).fill('released')]);
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.length).toBeLessThanOrEqual(10);
});
