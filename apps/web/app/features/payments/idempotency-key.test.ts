import { memoryStore } from '@brightpane/ui/browser-storage';
import { describe, expect, test } from 'vitest';
import { idempotencyKey, keepsKey, renewIdempotencyKey } from './idempotency-key.ts';

const draft = { workOrderNumber: 1042, tipAmount: 15, lastName: 'Muñoz' };

describe('the idempotency key', () => {
  test('stays with its draft', () => {
    const store = memoryStore();
    const key = idempotencyKey('101-1042', draft, store);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(idempotencyKey('101-1042', { ...draft }, store)).toBe(key);
  });

  test('is another for another draft, another invoice, and after it was renewed', () => {
    const store = memoryStore();
    const key = idempotencyKey('101-1042', draft, store);
    const changed = idempotencyKey('101-1042', { ...draft, tipAmount: 20 }, store);
    const otherInvoice = idempotencyKey('101-1043', draft, store);
    renewIdempotencyKey('101-1042', store);
    const renewed = idempotencyKey('101-1042', { ...draft, tipAmount: 20 }, store);
    expect(new Set([key, changed, otherInvoice, renewed]).size).toBe(4);
  });

  test('is new where what is stored cannot be read', () => {
    const store = memoryStore();
    store.setItem('payment.101-1042', '{');
    expect(idempotencyKey('101-1042', draft, store)).toMatch(/^[0-9a-f]{32}$/);
  });

  test('leaves nothing of the draft in storage', () => {
    const store = memoryStore();
    idempotencyKey('101-1042', draft, store);
    expect(store.getItem('payment.101-1042')).not.toContain('Muñoz');
  });
});

describe('after a problem the key', () => {
  test.each([
    ['no answer', 0, [], true],
    ['409', 409, [], true],
    ['429', 429, [], true],
    ['500', 500, [], true],
    ['503', 503, [], true],
    ['503 with NotCharged', 503, ['NotCharged'], false],
    ['400 with NotCharged', 400, ['NotCharged'], false],
    ['409 of an earlier payment', 409, ['PaidEarlier'], false],
    ['409 of a payment that was found and checked', 409, ['CheckedEarlier'], false],
    ['409 of a card that was added and deleted', 409, ['CardDeleted'], false],
    ['409 of a payment that is being checked', 409, ['PaymentFound'], true],
    ['409 of a payment that was given back', 409, ['CaptureFailed'], false],
    ['400', 400, ['Invalid'], false],
    ['404', 404, [], false],
    ['422', 422, [], false],
  ])('%s is kept: %4$s', (_, status, codes, kept) => {
    const errors = codes.map((code) => ({ code, description: '' }));
    expect(keepsKey({ title: '', status, detail: '', errors })).toBe(kept);
  });
});
