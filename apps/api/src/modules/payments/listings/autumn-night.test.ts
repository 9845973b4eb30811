import { beforeAll, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { APPROVED_CARD } from '../../../../test/emulator.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareBooks } from '../books/compare-books.ts';

const { emulator, portal, guestPays, sweepAll, expectBalanced } = usePayments();
const MINUTE = 60;

/** Los Angeles sets its clocks back on the first Sunday of November, at 09:00 UTC. */
const TEN_MINUTES_BEFORE = Date.UTC(2027, 10, 7, 8, 50);

beforeAll(async () => {
  await emulator.switch({ timeZone: 'America/Los_Angeles' });
  // Round up: half a second earlier would display as another ten-minute step.
  const ahead = Math.ceil((TEN_MINUTES_BEFORE - Date.now()) / 1000);
  await emulator.advanceClock(ahead);
  await advanceEngineClock(portal.deps, ahead);
});

async function pass(minutes: number) {
  await emulator.advanceClock(minutes * MINUTE);
  await advanceEngineClock(portal.deps, minutes * MINUTE);
}

async function sellByHand(count: number) {
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  for (let sale = 0; sale < count; sale++) {
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
  }
}

test('the hour that occurs twice keeps no hold from being ruled out and no books from being compared', async () => {
  await guestPays(await makeInvoice(portal.deps.db.query));
  await sellByHand(120);
  await pass(20);
  await sellByHand(3);
  const rows = (await emulator.ledger()) as unknown as { created: string }[];
  expect(rows[0]?.created.slice(0, 15)).toBe('2027-11-07 01:5');
  expect(rows.at(-1)?.created.slice(0, 15)).toBe('2027-11-07 01:1');

  await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
  await guestPays(await makeInvoice(portal.deps.db.query));
  for (const minutes of [1, 16, 2, 2]) {
    await pass(minutes);
    await sweep(portal.deps);
  }
  expect((await chargesOf(portal.deps)).map(({ state }) => state)).toEqual(['captured', 'absent']);
  const { isComplete, compared, differences } = await compareBooks(portal.deps);
  expect({ isComplete, compared }).toEqual({ isComplete: true, compared: 1 });
  const byHand = { kind: 'not-in-our-books', orderId: '' };
  expect(differences).toMatchObject(Array.from({ length: 123 }, () => byHand));
  await sweepAll();
  await expectBalanced();
});
