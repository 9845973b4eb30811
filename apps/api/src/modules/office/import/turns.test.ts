import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('no more than the given number runs at a time, and everyone has a turn', async () => {
  const takeTurn = createTurns(2);
  let running = 0;
  let most = 0;
  const work = async (number: number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return number;
  };
  const results = await Promise.all([1, 2, 3, 4, 5].map((number) => takeTurn(() => work(number))));
  expect(results).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('work that fails gives its turn back', async () => {
  const takeTurn = createTurns(1);
  const failing = takeTurn(() => Promise.reject(new Error('no')));
  const next = takeTurn(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
