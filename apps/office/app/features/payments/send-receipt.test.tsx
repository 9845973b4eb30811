import type { Payment } from '@brightpane/contract/office/payments';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ReceiptEmailField, whyNoReceipt } from './send-receipt.tsx';

const receipt = (to: string) => ({ kind: 'payment-receipt', to }) as Payment['mails'][number];
const helpOf = (...mails: Payment['mails']) =>
  wordsOf(<ReceiptEmailField mails={mails} payerEmail={null} errors={undefined} />);

test('the first receipt is named by its address, unless that was removed with the account', () => {
  expect(helpOf(receipt('ana@example.com'))).toContain('The first one went to ana@example.com.');
  const blanked = helpOf(receipt(''), receipt('bob@example.com'));
  expect(blanked).toContain('The address of the first one was removed with the account.');
  expect(blanked).not.toContain('went to');
  expect(helpOf()).not.toMatch(/went to|removed/);
});

test.each([
  ['reversing', 'There is no receipt while collection is failing.'],
  ['released', 'There is no receipt: nothing was paid.'],
])('there is none to send of a charge that is %s, and it says why', (chargeState, why) => {
  expect(whyNoReceipt([{ chargeState }] as Payment['shares'])).toBe(why);
});
