import { beforeEach, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { inSleepyProcess } from '../../../../test/books/sleepy-process.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareBooks } from './compare-books.ts';

const { emulator, portal, guestPays, sweepAll } = usePayments();

beforeEach(() => emulator.switch({ releaseRefused: 'settled' }));

/** A charge that was ruled out, and a hold under its order. */
async function makeLateHold(): Promise<string> {
  await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
  await guestPays(await makeInvoice(portal.deps.db.query));
  await sweepAll();
  const orderId = (await chargesOf(portal.deps)).at(-1)?.orderId ?? '';
  await emulator.callAs('portal', 'POST', '/transactions', {
    command: 'authonly',
    amount: '108.25',
    orderid: orderId,
    creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
  });
  return orderId;
}

const typeOf = async (orderId: string) =>
  (await emulator.ledger()).find((row) => row.orderid === orderId)?.trantype_code;

test('a late hold is voided on an account that releases no funds', async () => {
  await emulator.switch({ releaseRefused: 'always' });
  const orderId = await makeLateHold();
  const { differences } = await compareBooks(portal.deps);
  expect(differences).toMatchObject([{ kind: 'late-hold-released', orderId }]);
  expect(await typeOf(orderId)).toBe('V');
});

test('a late hold is not voided by a process that slept through its lease', async () => {
  const orderId = await makeLateHold();
  await inSleepyProcess(async (sleep) => {
    const gateways = aroundCalls(portal.deps.gateways, 'find', async (send) => {
      const answer = await send();
      sleep();
      return answer;
    });
    const { differences } = await compareBooks({ ...portal.deps, gateways });
    expect(differences).toMatchObject([{ kind: 'late-hold', orderId }]);
  });
  expect(await typeOf(orderId)).toBe('A');
});
