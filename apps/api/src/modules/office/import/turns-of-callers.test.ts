import { expect, test } from 'vitest';
import { fail, ok } from '../../../http/result.ts';
import { createTurnsOfCallers } from './turns-of-callers.ts';

const never = () => new Promise<never>(() => {});

test('a caller whose work never ends keeps nobody else from a turn, however much they send', async () => {
  const turns = createTurnsOfCallers({ atOnce: 3, waiting: 5, ofOne: 2 });
  for (let count = 0; count < 7; count++) void turns.of('stalling')(never);
  expect(await turns.of('stalling')(async () => 'done')).toEqual(fail('crowded'));
  expect(await turns.of('other')(async () => 'done')).toEqual(ok('done'));
});

test('a caller with more work than turns gets all of it done', async () => {
  const turns = createTurnsOfCallers({ atOnce: 3, waiting: 5, ofOne: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return 'done';
  };
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map(() => turns.of('one')(work)));
  expect(results).toEqual(results.map(() => ok('done')));
  expect(most).toBe(2);
});

test('work that fails gives its turn back', async () => {
  const turns = createTurnsOfCallers({ atOnce: 1, waiting: 1, ofOne: 1 });
  await expect(turns.of('one')(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.of('one')(async () => 'done')).toEqual(ok('done'));
});
