import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWorkOrders, readWorkOrders } from '../../modules/payments/engine/describe-work-orders.ts';
import { LONGEST_DESCRIPTION } from '../payment-gateway.ts';
import { readListAnswer } from './read-list-answer.ts';
import { readRecord } from './transaction-rows.ts';

/** Identifies a transaction and its state; the provider leaves out any other field that is unset. */
const NEEDED = {
  key: 'enfy1zj9dh3cdjc',
  refnum: '124444201',
  amount: '108.25',
  result_code: 'A',
  trantype_code: 'A',
};
const OPTIONAL = {
  type: 'transaction',
  status_code: 'P',
  status: 'Authorized (Will not be captured)',
  created: '2026-03-10 12:00:00',
  orderid: 'abc123-order',
  description: 'Work order 1001',
  invoice: '1001',
  authcode: '123456',
  is_duplicate: 'N',
  auth_amount: '108.25',
  creditcard: { type: 'V', number: '4000xxxxxxxx2224' },
  avs: { result_code: 'YYY' },
  cvc: { result_code: 'M' },
  batch: { key: 'ft1m9m5p9wgd9mb' },
  custkey: '',
  clerk: 'r1',
};

const list = (data: unknown[]) => ({
  kind: 'answer' as const,
  status: 200,
  text: JSON.stringify({ type: 'list', limit: 100, offset: 0, data, total: String(data.length) }),
});
const asked = { offset: 0, limit: 100 };

test('reads a row the same whichever optional fields are unset', () => {
  fc.assert(
    fc.property(fc.subarray(Object.keys(OPTIONAL)), (kept) => {
      const optional = Object.fromEntries(Object.entries(OPTIONAL).filter(([name]) => kept.includes(name)));
      const has = (name: string) => kept.includes(name);
      expect(readRecord({ ...NEEDED, ...optional })).toEqual({
        transactionKey: NEEDED.key,
        reference: NEEDED.refnum,
        orderId: has('orderid') ? OPTIONAL.orderid : '',
        state: 'held',
        amountCents: 10_825,
        createdAt: has('created') ? new Date('2026-03-10T12:00:00Z') : null,
        isRefund: false,
        type: 'A',
        status: has('status_code') ? 'P' : '',
        result: 'A',
        clerk: has('clerk') ? OPTIONAL.clerk : '',
        batchKey: has('batch') ? OPTIONAL.batch.key : null,
        description: has('description') ? OPTIONAL.description : '',
      });
    }),
  );
});

test('reads a page whatever its rows leave out, except a key', () => {
  const whole = { ...NEEDED, ...OPTIONAL };
  fc.assert(
    fc.property(fc.array(fc.subarray(Object.keys(whole)), { maxLength: 5 }), (rows) => {
      const data = rows.map((kept) =>
        Object.fromEntries(Object.entries(whole).filter(([name]) => kept.includes(name))),
      );
      const page = readListAnswer(list(data), asked);
      if (rows.some((kept) => !kept.includes('key'))) {
        expect(page).toEqual({ kind: 'unknown' });
        return;
      }
      if (page.kind !== 'page') throw new Error(page.kind);
      expect(page.rows.length + page.partial.length).toBe(rows.length);
      const isWhole = (kept: string[]) => Object.keys(NEEDED).every((name) => kept.includes(name));
      expect(page.rows.length).toBe(rows.filter(isWhole).length);
    }),
  );
});

test.each([
  [{ created: '2026-03-10 12:00:00' }, '2026-03-10T12:00:00.000Z'],
  [{ datetime: '2026-03-10 12:00:00' }, '2026-03-10T12:00:00.000Z'],
  [{ date: '2026-03-10 12:00:00' }, '2026-03-10T12:00:00.000Z'],
  [{ created: '', datetime: '2026-03-10 12:00:00' }, '2026-03-10T12:00:00.000Z'],
  [{ date: '2026-03-10' }, null],
  [{ created: '0000-00-00 00:00:00' }, null],
  [{ created: null }, null],
  [{}, null],
])('dates a row with %j as %s', (time, expected) => {
  expect(readRecord({ ...NEEDED, ...time })?.createdAt?.toISOString() ?? null).toBe(expected);
});

describe('the state of a transaction', () => {
  test.each([
    ['A', 'P', 'held'],
    ['A', 'T', 'held'],
    ['A', 'R', 'voided'],
    ['A', 'V', 'voided'],
    ['V', 'R', 'voided'],
    ['V', 'V', 'voided'],
    ['V', undefined, 'voided'],
    ['Z', 'P', 'voided'],
    ['L', 'R', 'voided'],
    ['L', 'P', 'captured'],
    ['L', undefined, 'captured'],
    ['L', 'B', 'settled'],
    ['S', 'N', 'captured'],
    ['S', 'S', 'settled'],
  ])('of type %s with status %s is %s', (trantype_code, status_code, state) => {
    expect(readRecord({ ...NEEDED, trantype_code, status_code })?.state).toBe(state);
  });

  test.each([
    ['D', 'E', 'none'],
    ['E', 'E', 'none'],
    ['E', 'P', 'other'],
    ['V', 'M', 'held'],
    ['X', 'P', 'other'],
  ])('with the result %s and status %s is %s', (result_code, status_code, state) => {
    expect(readRecord({ ...NEEDED, result_code, status_code })?.state).toBe(state);
  });

  test.each([
    ['C', true],
    ['Z', true],
    ['A', false],
  ])('of type %s is a refund: %s', (trantype_code, isRefund) => {
    expect(readRecord({ ...NEEDED, trantype_code })?.isRefund).toBe(isRefund);
  });
});

describe('a page of the list', () => {
  test('without a connection was not sent', () => {
    expect(readListAnswer({ kind: 'not-sent' }, asked)).toEqual({ kind: 'not-sent' });
  });

  test.each([[{ offset: 90 }], [{ total: undefined }], [{ total: '-1' }], [{ data: null }]])(
    'that says %j is unknown',
    (given) => {
      const text = JSON.stringify({ limit: 100, offset: 0, data: [], total: '0', ...given });
      expect(readListAnswer({ kind: 'answer', status: 200, text }, asked)).toEqual({ kind: 'unknown' });
    },
  );

  test.each([
    [50, 50],
    ['50', 50],
    [500, 100],
    [undefined, 100],
    [0, 100],
  ])('that grants a limit of %s has %i rows', (limit, granted) => {
    const text = JSON.stringify({ limit, offset: 0, data: [], total: '0' });
    expect(readListAnswer({ kind: 'answer', status: 200, text }, asked)).toMatchObject({ limit: granted });
  });
});

test.each<unknown>(['\u0000', '\ud800', 'x'.repeat(501), {}, { toString: 1 }])(
  'reads a row whose order id is %j as a stranger’s, not as one without an order id',
  (orderid) => {
    expect(readRecord({ ...NEEDED, orderid })?.orderId).toBe('?');
  },
);

test('reads a row whose texts cannot be stored without them, and none whose reference cannot', () => {
  const row = {
    ...NEEDED,
    description: 'a\u0000',
    clerk: '\ud800',
    status_code: '\u0000',
    batch: { key: '\ud800' },
  };
  expect(readRecord(row)).toMatchObject({ description: '', clerk: '', status: '', batchKey: null });
  expect(readRecord({ ...NEEDED, refnum: '\u0000' })).toBeNull();
  expect(readRecord({ ...NEEDED, created: { toString: 1 } })?.createdAt).toBeNull();
});

test.each([60, 85, 500])('reads the description of a payment of %i work orders as it was sent', (count) => {
  const lines = Array.from({ length: count }, (_, index) => ({
    franchiseId: 11,
    workOrderNumber: 1_000_000_000 + index,
  }));
  const sent = describeWorkOrders(lines, LONGEST_DESCRIPTION);
  const description = readRecord({ ...NEEDED, description: sent })?.description ?? '';
  expect(description).toBe(sent);
  expect(readWorkOrders(description).isWhole).toBe(count < 500);
});
