import { expect, test } from 'vitest';
import { traceTargets } from './trace-targets.ts';

const isTold = (url: string, host: string) => traceTargets(host).some((target) => target.test(url));

test.each([
  ['https://pay.example.com/api/user', 'pay.example.com'],
  ['http://localhost:3000/api/user/invoice', 'localhost:3000'],
  ['http://[::1]:3000/api/user', '[::1]:3000'],
])('%s is told of its trace by a page of %s', (url, host) => {
  expect(isTold(url, host)).toBe(true);
});

test.each([
  'https://usaepay.com/api/v2/transactions',
  'https://api.example.com/api/user',
  'https://pay.example.com.elsewhere.net/api/user',
  'https://payXexample.com/api/user',
  'https://elsewhere.net/?https://pay.example.com/api/user',
  'https://elsewhere.net/https://pay.example.com/api/user',
  'https://pay.example.com:4000/api/user',
  'https://pay.example.com/assets/entry.js',
])('%s is not', (url) => {
  expect(isTold(url, 'pay.example.com')).toBe(false);
});
