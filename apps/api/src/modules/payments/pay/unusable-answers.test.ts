import { expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const NESTED = `{"key":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

test.each([
  ['nested deeper than we count', { fault: 'status', status: 200, body: NESTED }],
  ['whose reference holds a NUL', { fault: 'wrong', answer: { refnum: '12\u0000 3' } }],
  ['whose reference is half a character', { fault: 'wrong', answer: { refnum: '12\ud800' } }],
  ['whose key holds a NUL', { fault: 'wrong', answer: { key: 'enf\u0000' } }],
  ['in a currency without a text form', { fault: 'wrong', answer: { currency: { toString: 1 } } }],
])(
  'an answer to a hold %s is unreadable: the payer hears so, and the sweep ends it',
  async (_which, fault) => {
    const made = await makeInvoice(db());
    await emulator.script({ ...fault, when: 'after', command: 'authonly' });
    const answer = await guestPays(made);
    expect(answer.json()).toMatchObject({
      status: 503,
      detail:
        'Your card was not charged. Please try again. A pending amount at your bank disappears by itself.',
    });
    await sweepAll();
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('released');
    await expectBalanced();
  },
);
