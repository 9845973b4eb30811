import { beforeEach, describe, expect, test } from 'vitest';
import {
  advanceEngineClock,
  type ChargeRow,
  chargesOf,
  expectBooksBalanced,
  sweep,
  sweepUntilSettled,
} from '../../../test/books.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { makeCharge } from '../../../test/factories/charges.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../test/factories/payments.ts';
import { compareBooks } from './compare-books.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const MINUTE = 60;

beforeEach(() => emulator.clearFaults());

async function pay(): Promise<ChargeRow> {
  const made = await makeInvoice(portal.deps.db.query);
  await payAsGuest(portal, await guestSale(emulator, made));
  await sweep(portal.deps);
  const charge = (await chargesOf(portal.deps)).at(-1);
  if (!charge) throw new Error('no charge');
  return charge;
}

const byHand = (body: object) => emulator.callAs('portal', 'POST', '/transactions', body);
const keyOf = async (orderId: string) =>
  (await emulator.ledger()).find((row) => row.orderid === orderId)?.key;

/** What a comparison reports beside what it has reported before. */
async function newDifferences(work: () => Promise<unknown>) {
  const before = new Set((await compareBooks(portal.deps)).differences.map((each) => JSON.stringify(each)));
  await work();
  const { differences } = await compareBooks(portal.deps);
  return differences.filter((each) => !before.has(JSON.stringify(each)));
}

describe('the nightly comparison', () => {
  test('finds nothing where both books agree', async () => {
    await pay();
    await advanceEngineClock(portal.deps, 20 * MINUTE);
    const comparison = await compareBooks(portal.deps);
    expect(comparison).toMatchObject({ isComplete: true, differences: [] });
    expect(comparison.compared).toBeGreaterThan(0);
  });

  test('gives back a hold that turned up after its charge was ruled out', async () => {
    await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
    await payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query)));
    await sweepUntilSettled(portal.deps);
    const absent = (await chargesOf(portal.deps)).at(-1);
    expect(absent?.state).toBe('absent');
    const differences = await newDifferences(() =>
      byHand({
        command: 'authonly',
        amount: '108.25',
        orderid: absent?.orderId,
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      }),
    );
    expect(differences).toMatchObject([{ kind: 'late-hold-released', orderId: absent?.orderId }]);
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('absent');
    await expectBooksBalanced(portal.deps, emulator);
  });

  test('leaves alone what is being paid at this moment', async () => {
    await emulator.script({ fault: 'slow', when: 'after', seconds: 2, command: 'authonly' });
    const made = await makeInvoice(portal.deps.db.query);
    const paying = payAsGuest(portal, await guestSale(emulator, made));
    await expect.poll(async () => (await chargesOf(portal.deps)).at(-1)?.state).toBe('authorising');
    await compareBooks(portal.deps);
    expect((await paying).statusCode).toBe(200);
    await sweep(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  test('says so when the provider did not show everything', async () => {
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 10 });
    expect(await compareBooks(portal.deps)).toMatchObject({ isComplete: false, differences: [] });
  });

  test('reports a refund, a void and a sale that were made by hand, and mends none of them', async () => {
    const [refunded, voided] = [await pay(), await pay()];
    const states = async () => (await chargesOf(portal.deps)).map(({ state }) => state);
    const before = await states();
    const differences = await newDifferences(async () => {
      await byHand({ command: 'void', trankey: await keyOf(voided.orderId) });
      await emulator.callAs('portal', 'POST', '/batches/current/close');
      await byHand({ command: 'refund', trankey: await keyOf(refunded.orderId) });
      await byHand({
        command: 'sale',
        amount: '5.00',
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      });
      await advanceEngineClock(portal.deps, MINUTE);
    });
    expect(differences.map(({ kind }) => kind).sort()).toEqual([
      'not-in-our-books',
      'refunded-by-hand',
      'voided-by-hand',
    ]);
    expect(await states()).toEqual(before);
  });

  test('reports a capture that the provider does not know', async () => {
    const elsewhere = await makeCharge(portal.deps, { state: 'captured', transactionKey: 'enfnothere00000' });
    await advanceEngineClock(portal.deps, 60 * MINUTE);
    const { differences } = await compareBooks(portal.deps);
    expect(differences).toContainEqual({
      kind: 'not-at-the-provider',
      orderId: elsewhere.orderId,
      reference: 'enfnothere00000',
      amount: '108.25',
    });
  });
});
