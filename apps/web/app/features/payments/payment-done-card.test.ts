import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import type { PaymentDone } from './pay-invoices.ts';
import { readPaymentDone } from './payment-done-card.tsx';

const done: PaymentDone = {
  userId: 'rosa',
  amountCents: cents(108_25),
  keys: ['7-1042'],
  paidTo: ['Clear View'],
  references: ['1'],
  sendsReceipt: true,
  paymentId: null,
};

test('a payment is shown to whoever made it, and not to the next person who goes back to its page', () => {
  expect(readPaymentDone({ flash: 'Payment successful!', done }, 'rosa')).toEqual(done);
  expect(readPaymentDone({ flash: 'Payment successful!', done }, 'ben')).toBeNull();
  expect(readPaymentDone(null, 'rosa')).toBeNull();
});
