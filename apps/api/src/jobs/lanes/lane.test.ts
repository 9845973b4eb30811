import { expect, test } from 'vitest';
import type { Timers } from '../timers.ts';
import { AccountLanes } from './account-lanes.ts';
import { Lane } from './lane.ts';

/** Timers driven by the test. */
function handTimers(): Timers & { pass(milliseconds: number): void; waiting(): number } {
  let now = 0;
  const waiting = new Set<{ at: number; work: () => void }>();
  return {
    now: () => now,
    after(milliseconds, work) {
      const timer = { at: now + milliseconds, work };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    pass(milliseconds) {
      now += milliseconds;
      for (const timer of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(timer);
        timer.work();
      }
    },
    waiting: () => waiting.size,
  };
}

/** Looks that end when the test says so. */
function heldLooks() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const look = () => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject }));
  return { look, ends };
}

test('a thousand wake-ups during a look cause one more look', async () => {
  const { look, ends } = heldLooks();
  const lane = new Lane({ name: 'test', look, pollMilliseconds: 1_000, timers: handTimers() });
  for (let count = 0; count < 1_000; count++) lane.wake();
  ends[0]?.resolve();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.resolve();
  await lane.idle();
  expect(ends).toHaveLength(2);
});

test('a polling lane looks again by itself, with one timer however often it is woken', async () => {
  const timers = handTimers();
  let looks = 0;
  const lane = new Lane({ name: 'test', look: async () => void looks++, pollMilliseconds: 1_000, timers });
  lane.start();
  await lane.idle();
  for (let count = 0; count < 10; count++) await lane.look();
  expect([looks, timers.waiting()]).toEqual([11, 1]);
  timers.pass(1_000);
  await lane.idle();
  expect([looks, timers.waiting()]).toEqual([12, 1]);
  await lane.stop();
  expect(timers.waiting()).toBe(0);
});

test('backs off after a failed look, and wake-ups do not shorten that', async () => {
  const timers = handTimers();
  const { look, ends } = heldLooks();
  const lane = new Lane({ name: 'test', look, pollMilliseconds: 60_000, timers });
  lane.start();
  ends[0]?.reject(new Error('no database'));
  await lane.idle();
  lane.wake();
  expect(ends).toHaveLength(1);
  timers.pass(2_000);
  expect(ends).toHaveLength(2);
});

test('an account that hangs blocks only its own lane, and idle lanes are dropped', async () => {
  const { look, ends } = heldLooks();
  const looked: number[] = [];
  const lanes = new AccountLanes({
    name: 'test',
    timers: handTimers(),
    look: async (accountId) => {
      looked.push(accountId);
      if (accountId === 1) await look();
    },
  });
  for (let round = 0; round < 3; round++) {
    for (const accountId of [1, 2, 3]) lanes.wake(accountId);
    await expect.poll(() => lanes.running().map(({ accountId }) => accountId)).toEqual([1]);
  }
  expect(looked).toEqual([1, 2, 3, 2, 3, 2, 3]);
  ends[0]?.resolve();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.resolve();
  await lanes.idle();
  expect(lanes.running()).toEqual([]);
});
