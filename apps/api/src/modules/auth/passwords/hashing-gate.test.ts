import { expect, test } from 'vitest';
import { createHashingGate } from './hashing-gate.ts';

/** Work that runs until it is told to end. */
function work() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  return {
    run: async () => {
      running++;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      return 'done';
    },
    endOne: () => ends.shift()?.(),
    started: () => most,
    get running() {
      return running;
    },
  };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('only so many run at once, some wait, and the rest are turned away', async () => {
  const gate = createHashingGate({ places: 2, queue: 3 });
  const hashing = work();
  expect(gate.isFull).toBe(false);
  const outcomes = Array.from({ length: 8 }, () => gate.run(hashing.run));
  expect(gate.isFull).toBe(true);

  expect(await Promise.all(outcomes.slice(5))).toEqual(
    Array.from({ length: 3 }, () => ({ ok: false, code: 'overloaded' })),
  );
  for (let ended = 0; ended < 5; ended++) {
    await nextTurn();
    expect(hashing.running).toBeLessThanOrEqual(2);
    hashing.endOne();
  }
  expect(await Promise.all(outcomes.slice(0, 5))).toEqual(
    Array.from({ length: 5 }, () => ({ ok: true, value: 'done' })),
  );
  expect(hashing.started()).toBe(2);
  expect(gate.finished).toBe(5);
  expect(gate.isFull).toBe(false);
});

test('work that throws gives its place back', async () => {
  const gate = createHashingGate({ places: 1, queue: 0 });
  await expect(gate.run(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
  expect(await gate.run(async () => 'next')).toEqual({ ok: true, value: 'next' });
});
