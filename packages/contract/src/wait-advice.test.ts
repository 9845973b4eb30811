import { describe, expect, test } from 'vitest';
import { readRetryAfter, waitAdvice, withWait, withWaitAdvice } from './wait-advice.ts';

describe('what to do', () => {
  test.each([
    [1, '1 second'],
    [45, '45 seconds'],
    [59.2, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [120, '2 minutes'],
    [121, '3 minutes'],
    [3_540, '59 minutes'],
    [3_541, '1 hour'],
    [3_600, '1 hour'],
    [3_601, '2 hours'],
    [86_400, '24 hours'],
    [0, 'a moment'],
    [null, 'a moment'],
  ])('after %s seconds is said as %s', (retryAfterSeconds, words) => {
    expect(waitAdvice({ status: 429, retryAfterSeconds })).toBe(
      `Too many tries. Wait ${words}, then try again.`,
    );
  });

  test('names the reason', () => {
    expect(waitAdvice({ status: 503, retryAfterSeconds: 5 })).toBe(
      'The portal is busy. Wait 5 seconds, then try again.',
    );
    expect(waitAdvice({ status: 503 })).toBe('The portal is busy. Wait a moment, then try again.');
  });

  test.each([0, 400, 401, 404, 409, 500])('is nothing on %s', (status) => {
    expect(waitAdvice({ status, retryAfterSeconds: 120 })).toBe('');
    expect(withWaitAdvice('Unable to remove location', { status })).toBe('Unable to remove location');
  });

  test('follows the sentence of the specification', () => {
    const refusal = { status: 429, retryAfterSeconds: 120 };
    expect(withWaitAdvice('Something went wrong. Please try again.', refusal)).toBe(
      'Something went wrong. Please try again. Too many tries. Wait 2 minutes, then try again.',
    );
    expect(withWaitAdvice('Unable to remove location', refusal)).toBe(
      'Unable to remove location. Too many tries. Wait 2 minutes, then try again.',
    );
    expect(withWait('Unable to complete payment: Too many cards were tried.', refusal)).toBe(
      'Unable to complete payment: Too many cards were tried. Wait 2 minutes, then try again.',
    );
  });
});

describe('Retry-After', () => {
  const NOW = Date.parse('2026-11-22T15:00:00Z');
  const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), NOW);
  test.each([
    [{ 'retry-after': '120' }, 120],
    [{ 'retry-after': 'Sun, 22 Nov 2026 15:02:00 GMT' }, 120],
    // By the server's clock; the browser's is an hour ahead.
    [{ 'retry-after': 'Sun, 22 Nov 2026 14:02:00 GMT', date: 'Sun, 22 Nov 2026 14:00:00 GMT' }, 120],
    [{ 'retry-after': 'Sun, 22 Nov 2026 14:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('%j is read as %s seconds', (headers, seconds) => {
    expect(read(headers as Record<string, string>)).toBe(seconds);
  });
});
