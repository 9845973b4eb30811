import { expect, test } from 'vitest';
import { fail, ok } from './result.ts';
import { atMostAtOnce, createTurns, createTurnsByKey } from './turns.ts';

test('runs at most the given number at a time, and gives everyone a turn', async () => {
  const takeTurn = createTurns({ atOnce: 2, waiting: 3 });
  let running = 0;
  let most = 0;
  const work = async (number: number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return number;
  };
  const results = await Promise.all([1, 2, 3, 4, 5].map((number) => takeTurn(() => work(number))));
  expect(results).toEqual([1, 2, 3, 4, 5].map(ok));
  expect(most).toBe(2);
});

test('work that fails gives its turn back', async () => {
  const takeTurn = createTurns({ atOnce: 1, waiting: 1 });
  const failing = takeTurn(() => Promise.reject(new Error('no')));
  const next = takeTurn(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toEqual(ok('done'));
});

test('refuses work while the queue is full, and accepts it after a turn ends', async () => {
  const takeTurn = createTurns({ atOnce: 1, waiting: 1 });
  const work = async () => 'done';
  const [first, second, third] = [takeTurn(work), takeTurn(work), takeTurn(work)];
  expect(await third).toEqual(fail('crowded'));
  expect(await Promise.all([first, second])).toEqual([ok('done'), ok('done')]);
  expect(await takeTurn(work)).toEqual(ok('done'));
});

test('work of one key waits for no other key’s, and is refused for no other’s queue', async () => {
  const turns = createTurnsByKey({ atOnce: 1, waiting: 0 });
  const never = () => new Promise<never>(() => {});
  void turns('stalling')(never);
  expect(await turns('stalling')(never)).toEqual(fail('crowded'));
  expect(await turns('other')(async () => 'done')).toEqual(ok('done'));
});

test('works through all of a list, at most the given number at once', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await atMostAtOnce(2, [1, 2, 3, 4, 5], async (number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    done.push(number);
  });
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});
