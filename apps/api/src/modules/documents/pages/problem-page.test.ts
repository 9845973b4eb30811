import { expect, test } from 'vitest';
import { HttpProblem } from '../../../http/problem.ts';
import { problemPage } from './problem-page.ts';

const words = (problem: HttpProblem, kind: Parameters<typeof problemPage>[1]) =>
  /<p>(.*)<\/p>/.exec(problemPage(problem, kind))?.[1];

test.each([
  ['invoice', 'Open your invoice again, then choose Open PDF.'],
  ['receipt', 'Open your receipt again, then choose Open PDF.'],
  ['statement', 'Open your statement again, then choose Download CSV.'],
] as const)("an expired link to somebody's %s says where to get a new one", (kind, again) => {
  const expired = new HttpProblem(403, 'This link is no longer good.');
  expect(words(expired, kind)).toBe(`Links to documents work for ten minutes. ${again}`);
  expect(words(new HttpProblem(404, 'There is no document at this address.'), kind)).toBe(again);
});

test.each([
  [429, '120', 'Too many tries. Wait 2 minutes, then try again.'],
  [503, '10', 'The portal is busy. Wait 10 seconds, then try again.'],
])('a link refused with %d says how long to wait', (status, seconds, said) => {
  const refused = new HttpProblem(status, 'Not now.', { headers: { 'retry-after': seconds } });
  expect(words(refused, 'invoice')).toBe(said);
});

const waysOn = (status: number, kind: Parameters<typeof problemPage>[1]) =>
  [...problemPage(new HttpProblem(status, 'Not now.'), kind).matchAll(/<a href="(.*)">(.*)<\/a>/g)].map(
    ([, href, text]) => `${text}: ${href}`,
  );

test('leads an expired link to where the document is: only accounts have receipts and statements', () => {
  expect(waysOn(403, 'invoice')).toEqual([
    'Find your invoice: /guest-payment',
    'Go to your account: /invoices',
  ]);
  for (const kind of ['receipt', 'statement'] as const)
    expect(waysOn(403, kind)).toEqual(['Go to your payments: /payments']);
});

test('lets a link that was refused for a while be opened again', () => {
  expect(waysOn(429, 'invoice')[0]).toBe('Try again: ');
  expect(waysOn(503, 'receipt')[0]).toBe('Try again: ');
  expect(waysOn(404, 'receipt')).not.toContain('Try again: ');
});

test('another refusal says its own words', () => {
  expect(words(new HttpProblem(500, 'Nobody <knows> why.'), 'receipt')).toBe('Nobody &#60;knows&#62; why.');
});
