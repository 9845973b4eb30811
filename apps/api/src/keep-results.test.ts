import { expect, test } from 'vitest';
import { keepResults } from './keep-results.ts';

test('computes a result once per name', () => {
  const kept = keepResults<string>();
  let times = 0;
  const ask = (name: string) => kept(name, () => `${name} ${++times}`);
  expect([ask('one'), ask('two'), ask('one'), ask('two')]).toEqual(['one 1', 'two 2', 'one 1', 'two 2']);
});

test('never holds more than 20,000 results, then starts over', () => {
  const kept = keepResults<number>();
  let times = 0;
  const ask = (name: number) => kept(`${name}`, () => ++times);
  for (let name = 1; name <= 20_000; name++) ask(name);
  expect(ask(1)).toBe(1);
  ask(20_001);
  expect(ask(1)).toBe(20_002);
});
