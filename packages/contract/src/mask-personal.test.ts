import { describe, expect, test } from 'vitest';
import { maskPersonal, maskText } from './mask-personal.ts';

describe('a text', () => {
  test.each([
    [
      'GET https://pay.example.com/guest-payment?franchiseNumber=11&zipCode=60302 failed',
      'GET https://pay.example.com/guest-payment failed',
    ],
    ['/resetpassword?e=zoe%40example.com&t=abc', '/resetpassword'],
    ['no account zoe.o+home@mail.example.com here', 'no account [masked] here'],
    ['no account zoe%40example.com', 'no account [masked]'],
    ['card 4000 1000 1111 2224 declined', 'card [masked] declined'],
    ['card 4000-1000-1111-2224', 'card [masked]'],
    ['4000100011112224', '[masked]'],
    ['Bearer 1234567890abcdefghijklmnopqrstuvwxyz_-ABCDEFG.x', 'Bearer [masked].x'],
    ['button[aria-label="Remove 12 Juniper Lane"][name="remove"]', 'button[name="remove"]'],
  ])('%j becomes %j', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  test.each([
    'Unable to complete payment: The card processor does not answer.',
    'Is that so? Yes.',
    'at pay (https://pay.example.com/assets/invoice-screen-CxkK8bVf.js:10:4421)',
    'node_modules/@sentry/browser/index.js',
    // Trace ids, request ids and times.
    '4f5a1234567890123456789012345678',
    '3d1b7a52-1111-4222-8333-123456789012',
    '2026-11-21T19:26:14.123Z',
  ])('%j stays as it is', (text) => {
    expect(maskText(text)).toBe(text);
  });
});

test('fields that are personal by name lose their value, however deep they lie and however they are written', () => {
  expect(
    maskPersonal({
      type: 'event',
      extra: { firstName: 'Zoë', last_name: "O'Brien", 'postal-code': 78701, note: null, chargeId: 7 },
      rows: [{ 'aria-label': 'Remove Home', class: 'btn' }, ['zoe@example.com']],
    }),
  ).toEqual({
    type: 'event',
    extra: {
      firstName: '[masked]',
      last_name: '[masked]',
      'postal-code': '[masked]',
      note: null,
      chargeId: 7,
    },
    rows: [{ 'aria-label': '[masked]', class: 'btn' }, ['[masked]']],
  });
});

test('ids that tie reports together stay, even those without a letter', () => {
  const report = {
    event_id: '40001000111122244000100011112224',
    contexts: { trace: { trace_id: '4f5a1234567890123456789012345678', span_id: '4000100011112224' } },
    spans: [{ span_id: '5555444433332226', parent_span_id: '4000100011112224' }],
  };
  expect(maskPersonal(report)).toEqual(report);
  expect(maskPersonal({ span_id: 'my card 4000 1000 1111 2224' })).toEqual({ span_id: 'my card [masked]' });
});
