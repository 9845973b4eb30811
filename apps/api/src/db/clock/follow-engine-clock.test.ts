import { afterEach, expect, test, vi } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../test/build-test-app.ts';
import { keepLog } from '../../../test/kept-log.ts';
import { openDatabase } from '../client.ts';
import {
  CLOCK_MOVED,
  createFollowedClock,
  type FollowedClock,
  followEngineClock,
} from './follow-engine-clock.ts';

const portal = useTestApp();
afterEach(() => void vi.restoreAllMocks());

const HOUR_MILLISECONDS = 3_600_000;
const aheadOf = (clock: { now: () => Date }) =>
  Math.round((clock.now().getTime() - Date.now()) / HOUR_MILLISECONDS);

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
  const following = followEngineClock(clock, portal.deps.db, portal.deps.log);
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

/** Moves this host's clock, and looks at the database's again. */
async function moveHost(clock: FollowedClock, seconds: number): Promise<void> {
  const real = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(real + seconds * 1_000);
  await clock.look(portal.deps.db.query);
  vi.restoreAllMocks();
}

test('knows how far the host’s clock is off, however far the engine’s was moved', async () => {
  const clock = createFollowedClock();
  expect(clock.skewSeconds()).toBeNull();
  await advanceEngineClock(portal.deps, 24 * 3_600);
  await moveHost(clock, 0);
  expect(clock.skewSeconds()).toBeCloseTo(0, 0);
  await moveHost(clock, -90);
  expect(clock.skewSeconds()).toBeCloseTo(-90, 0);
});

test('says once that the host’s clock is off, and again after it was right', async () => {
  const clock = createFollowedClock();
  const { log, events } = keepLog();
  const lookAgain = () => portal.deps.db.wakeUps.wake({ task: CLOCK_MOVED });
  const said = () => events().map(({ seconds }) => seconds);
  await moveHost(clock, 4);
  const following = followEngineClock(clock, portal.deps.db, log);
  expect(said()).toEqual([4]);
  lookAgain();
  await expect.poll(() => clock.skewSeconds()).toBeCloseTo(0, 0);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);
  lookAgain();
  await expect.poll(() => said().length).toBe(2);
  lookAgain();
  await clock.look(portal.deps.db.query);
  following.stop();
  expect(said()).toEqual([4, expect.closeTo(-60, 0)]);
});
