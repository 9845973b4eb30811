import type { Refund } from '@brightpane/contract/office/refunds';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ListRows } from '../list/list-rows.tsx';
import { ownRefundColumns, REFUND_COLUMNS, refundKey } from './refund-columns.tsx';

const lineOf = (workOrderNumber: number): Refund['lines'][number] => ({
  ...{ franchiseId: 11, workOrderNumber, invoice: 10, tax: 0, services: 0, servicesTax: 0, tip: 0 },
  ...{ effect: 'credited', dueAgain: 0 },
});

const REFUND: Refund = {
  refundId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a01',
  requestId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a02',
  paymentId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a03',
  ...{ state: 'waiting', words: 'Waits to be sent', safeToSendAgain: false, method: null, amount: 50 },
  ...{ reason: 'complaint', note: null, requestedBy: 'Robin Example', requestedAt: '2026-11-21T20:06:00Z' },
  ...{ approvedBy: null, approvedAt: null, madeAt: null, undoneAt: null, heldFor: null },
  ...{ providerWords: null, reference: null, card: { brand: 'Visa', lastFour: '2224' }, retryOf: null },
  customer: { customerNumber: 501, name: 'Ana Ruiz' },
  timeZone: 'America/Chicago',
  ...{ isOwn: false, isSent: false, isClosed: false },
  lines: [],
};

const shown = (...workOrderNumbers: number[]) =>
  wordsOf(
    <ListRows
      caption="Refunds"
      columns={REFUND_COLUMNS}
      rows={[{ ...REFUND, lines: workOrderNumbers.map(lineOf) }]}
      rowKey={refundKey}
    />,
  );

test.each([
  [[1042], 'Visa 2224, 1042 Ana Ruiz'],
  [[1042, 1042, 1043, 1044], 'Visa 2224, 1042, 1043, 1044 Ana Ruiz'],
  [[1042, 1043, 1044, 1045, 1046], 'Visa 2224, 1042, 1043, 1044 and 2 more Ana Ruiz'],
])('a refund of the work orders %j names the first three', (workOrderNumbers, words) => {
  expect(shown(...workOrderNumbers)).toContain(words);
});

test('a payment’s own refunds name work orders as its page does, once each', () => {
  const lines = [lineOf(1042), lineOf(1042), { ...lineOf(1042), franchiseId: 12 }];
  const nameOf = ({ franchiseId, workOrderNumber }: { franchiseId: number; workOrderNumber: number }) =>
    `${workOrderNumber} of ${franchiseId}`;
  const words = wordsOf(
    <ListRows
      caption="Refunds"
      columns={ownRefundColumns(nameOf)}
      rows={[{ ...REFUND, lines }]}
      rowKey={refundKey}
    />,
  );
  expect(words).toContain('1042 of 11, 1042 of 12 $50.00');
});
