import { beforeEach, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { keepLog } from '../../../../test/kept-log.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { listSilentAccounts } from './leases.queries.ts';

const { log, events, clear } = keepLog();
const { emulator, portal, guestPays, sweepAll, expectBalanced } = usePayments(() => ({}), { log });
const LOOK_SECONDS = 6;

beforeEach(async () => {
  await emulator.clearFaults();
});

async function lastCharge() {
  const charge = (await chargesOf(portal.deps)).at(-1);
  if (!charge) throw new Error('no charge');
  return charge;
}

const captured = async (orderId: string) =>
  (await emulator.ledger()).filter((row) => row.orderid === orderId && row.trantype_code === 'L');

test.each([
  { said: 'another key', answer: { key: 'onfwht1w2ftfssf' } },
  { said: 'another amount', answer: { auth_amount: '108.26' } },
  { said: 'no key', answer: { key: null } },
  { said: 'no amount', answer: { auth_amount: null } },
  // A fold repeats the answer of the hold itself: its key and its amount are ours.
  { said: 'a duplicate', answer: { is_duplicate: 'Y' } },
])('an approval of a capture that names $said is looked at before it is stored', async ({ answer }) => {
  for (const when of ['after', 'before']) {
    const invoice = await makeInvoice(portal.deps.db.query);
    expect((await guestPays(invoice)).statusCode).toBe(200);
    await emulator.script({ fault: 'wrong', command: 'capture', answer, when });
    await sweep(portal.deps);
    const { orderId, state } = await lastCharge();
    expect([when, state]).toEqual([when, 'accepted']);
    expect(await captured(orderId)).toHaveLength(when === 'after' ? 1 : 0);

    // The second attempt asks for the transaction first; without an answer no capture is sent.
    await emulator.script({ fault: 'status', status: 500, command: 'get' });
    await advanceEngineClock(portal.deps, LOOK_SECONDS);
    await sweep(portal.deps);
    expect((await lastCharge()).state).toBe('accepted');
    expect(await captured(orderId)).toHaveLength(when === 'after' ? 1 : 0);

    await advanceEngineClock(portal.deps, 10 * LOOK_SECONDS);
    await sweep(portal.deps);
    expect((await lastCharge()).state).toBe('captured');
    expect(await captured(orderId)).toMatchObject([{ amount: '108.25' }]);
  }
  await expectBalanced();
});

test.each([19, 80, 84])(
  'captures refused with the code %d say that the account answers',
  async (error_code) => {
    const answer = { result_code: 'E', error_code, error: 'No', key: '', auth_amount: null };
    await emulator.script({ fault: 'wrong', when: 'before', command: 'capture', answer, times: 4 });
    expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(200);
    for (let tries = 0; tries < 4; tries++) {
      await sweep(portal.deps);
      await advanceEngineClock(portal.deps, 10 * 60);
    }
    expect(await listSilentAccounts(portal.deps.db.query, { publicUrl: portal.deps.env.PUBLIC_URL })).toEqual(
      [],
    );
    await emulator.clearFaults();
    await sweepAll();
    expect((await lastCharge()).state).toBe('captured');
    await expectBalanced();
  },
);

test.each([
  { command: 'capture', alert: 'captures are not allowed' },
  { command: 'authonly', alert: 'payments are not allowed' },
  { command: 'void:release', alert: 'releases are not allowed' },
])('keys that may not $command raise an alert', async ({ command, alert }) => {
  clear();
  for (const error_code of [80, 84]) {
    const answer = { result_code: 'E', error_code, error: 'No', key: '' };
    if (command === 'void:release') await emulator.script({ fault: 'verify', command: 'authonly' });
    await emulator.script({ fault: 'wrong', when: 'before', command, answer });
    const answered = await guestPays(await makeInvoice(portal.deps.db.query));
    if (command === 'authonly') expect(answered.json().errors[0].code).toBe('NotCharged');
    await advanceEngineClock(portal.deps, LOOK_SECONDS);
    await sweep(portal.deps);
  }
  expect(events().flatMap((line) => line.alert ?? [])).toEqual([alert, alert]);
  await sweepAll();
  await expectBalanced();
});
