import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../test/build-test-app.ts';
import { openDatabase } from '../client.ts';
import { CLOCK_MOVED, createFollowedClock, followEngineClock } from './follow-engine-clock.ts';

const portal = useTestApp();

const HOUR = 3_600_000;
const aheadOf = (clock: { now: () => Date }) => Math.round((clock.now().getTime() - Date.now()) / HOUR);

test('uses the host’s clock until it has read the engine’s', async () => {
  const clock = createFollowedClock();
  expect(aheadOf(clock)).toBe(0);
  await advanceEngineClock(portal.deps, 24 * 3_600);
  await clock.look(portal.deps.db.query);
  expect(aheadOf(clock)).toBe(24);
});

test('keeps the last reading while the database does not answer, and looks when the clock was moved', async () => {
  const clock = createFollowedClock();
  await clock.look(portal.deps.db.query);
  const before = aheadOf(clock);
  const following = followEngineClock(clock, portal.deps.db);
  await advanceEngineClock(portal.deps, 3_600);
  expect(aheadOf(clock)).toBe(before);
  portal.deps.db.wakeUps.wake({ task: CLOCK_MOVED });
  await expect.poll(() => aheadOf(clock)).toBe(before + 1);
  following.stop();
  const gone = openDatabase({ url: 'postgres://127.0.0.1:1/gone' });
  await expect(clock.look(gone.query)).rejects.toThrow();
  await gone.close();
  expect(aheadOf(clock)).toBe(before + 1);
});
