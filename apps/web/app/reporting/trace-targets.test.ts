import { expect, test } from 'vitest';
import { traceTargets } from './trace-targets.ts';

const targets = traceTargets(['api.example.com', 'localhost:4000'], 'pay.example.com');
const isTold = (url: string) => targets.some((target) => target.test(url));

test.each([
  'https://pay.example.com/api/user',
  'https://api.example.com/api/user/invoice',
  'http://localhost:4000/api/user',
])('%s is told of its trace', (url) => {
  expect(isTold(url)).toBe(true);
});

test.each([
  'https://usaepay.com/api/v2/transactions',
  'https://api.example.com.elsewhere.net/api/user',
  'https://apiXexample.com/api/user',
  'https://elsewhere.net/?https://api.example.com/api/user',
  'https://elsewhere.net/https://api.example.com/api/user',
  'http://localhost:4001/api/user',
  'https://pay.example.com/assets/entry.js',
])('%s is not', (url) => {
  expect(isTold(url)).toBe(false);
});
