import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { checkLimits, clearLimits, countAgainst, countWithin } from './check-limits.ts';
import { backOff, cap, type Guard } from './limit.ts';
import { limitMisses, limitTries } from './limit-misses.ts';
import { isUncounted, removeCountersEndedBy, type Uncounted } from './limits.queries.ts';

const portal = useTestApp();
const START = new Date('2026-11-15T18:00:00Z');
const after = (seconds: number) => {
  portal.now = new Date(START.getTime() + seconds * 1000);
};

let subject = 0;
const guardOf = (limit: Guard['limit']): Guard => ({ limit, of: [`subject ${subject}`] });

beforeEach(() => {
  subject++;
  after(0);
});

describe('a cap', () => {
  const three = cap('three', { max: 3, windowSeconds: 60 });

  test('allows a number of failures, then says how long to wait', async () => {
    const guards = [guardOf(three)];
    for (const [second, count] of [
      [0, 1],
      [10, 2],
      [20, 3],
    ] as const) {
      after(second);
      expect(await checkLimits(portal.deps, guards)).toMatchObject({ ok: true });
      expect(await countAgainst(portal.deps, guards)).toEqual([count]);
    }
    after(21);
    expect(await checkLimits(portal.deps, guards)).toEqual({
      ok: false,
      code: 'too-many-attempts',
      retryAfterSeconds: 39,
    });
  });

  test('starts over when its window ends', async () => {
    const guards = [guardOf(three)];
    for (let failure = 0; failure < 5; failure++) await countAgainst(portal.deps, guards);
    after(60);
    expect(await checkLimits(portal.deps, guards)).toMatchObject({ ok: true });
    expect(await countAgainst(portal.deps, guards)).toEqual([1]);
  });

  test('affects nobody else', async () => {
    const guards = [guardOf(three)];
    for (let failure = 0; failure < 3; failure++) await countAgainst(portal.deps, guards);
    expect(await checkLimits(portal.deps, [{ limit: three, of: ['another'] }])).toMatchObject({ ok: true });
  });

  test('counts every one of many concurrent failures', async () => {
    const guards = [guardOf(three), guardOf(cap('wide', { max: 50, windowSeconds: 60 }))];
    await Promise.all(Array.from({ length: 40 }, () => countAgainst(portal.deps, guards)));
    expect(await countAgainst(portal.deps, guards)).toEqual([41, 41]);
  });

  test('lets no more acts through at once than one by one, then says how long to wait', async () => {
    const guards = [guardOf(three), guardOf(cap('wide', { max: 50, windowSeconds: 60 }))];
    const acts = await Promise.all(Array.from({ length: 10 }, () => countWithin(portal.deps, guards)));
    expect(acts.filter(({ ok }) => ok)).toHaveLength(3);
    after(21);
    expect(await countWithin(portal.deps, guards)).toMatchObject({ ok: false, retryAfterSeconds: 39 });
  });

  test('is reset for a legitimate user', async () => {
    const guards = [guardOf(three)];
    for (let failure = 0; failure < 3; failure++) await countAgainst(portal.deps, guards);
    await clearLimits(portal.deps, guards);
    expect(await checkLimits(portal.deps, guards)).toMatchObject({ ok: true });
  });
});

test.each([
  [4, null],
  [5, 1],
  [6, 2],
  [7, 4],
  [10, 32],
  [11, 60],
  [100, 60],
])('after %i failures a back-off of five makes the next one wait %s seconds', (count, seconds) => {
  const limit = backOff('five', { free: 5, maxWaitSeconds: 60, windowSeconds: 3600 });
  const windowEnd = new Date(START.getTime() + 3_600_000);
  const until = limit.waitUntil({ count, lastAt: START, windowEnd });
  expect(until && (until.getTime() - START.getTime()) / 1000).toBe(seconds);
});

test('waits for the longest of several guards', async () => {
  const short = guardOf(cap('short', { max: 1, windowSeconds: 10 }));
  const long = guardOf(cap('long', { max: 1, windowSeconds: 500 }));
  await countAgainst(portal.deps, [short, long]);
  expect(await checkLimits(portal.deps, [short, long])).toMatchObject({ retryAfterSeconds: 500 });
  after(20);
  expect(await checkLimits(portal.deps, [short, long])).toMatchObject({ retryAfterSeconds: 480 });
});

const findUncounted = async (uncounted: Uncounted) => {
  const { rows } = await portal.deps.db.query.execute(sql`SELECT WHERE ${isUncounted(uncounted)}`);
  return rows.length > 0 ? 'hit' : undefined;
};

describe('attempts that could be guesses', () => {
  const limit = cap('ten', { max: 10, windowSeconds: 60 });
  const attempt = (isHit: boolean) =>
    limitMisses(portal.deps, { guards: [guardOf(limit)], isMiss: (hit) => hit === false }, async () => isHit);

  test('are free when they hit', async () => {
    for (let tries = 0; tries < 40; tries++) expect(await attempt(true)).toBe(true);
  });

  test('are refused after ten misses, hits too', async () => {
    for (let misses = 0; misses < 10; misses++) expect(await attempt(false)).toBe(false);
    expect(await attempt(true)).toMatchObject({ code: 'too-many-attempts' });
  });

  test('hit in one statement while nothing is counted, and take the full path afterwards', async () => {
    const guards = [guardOf(limit)] as const;
    const hitOrMiss = (isHit: boolean) =>
      limitMisses(
        portal.deps,
        {
          guards,
          isMiss: (outcome) => outcome === 'missed',
          hit: async ({ keys, now }) => {
            const { rows } = await portal.deps.db.query.execute(
              sql`SELECT FROM limit_counter WHERE key IN ${keys} AND window_end > ${now.toISOString()}`,
            );
            return isHit && rows.length === 0 ? 'hit at once' : undefined;
          },
        },
        async (): Promise<string> => (isHit ? 'hit' : 'missed'),
      );
    expect(await hitOrMiss(true)).toBe('hit at once');
    expect(await hitOrMiss(false)).toBe('missed');
    expect(await hitOrMiss(true)).toBe('hit');
    after(60);
    expect(await hitOrMiss(true)).toBe('hit at once');
  });

  test('that hit in one statement are counted where their outcome says so', async () => {
    const guards = [guardOf(cap('one', { max: 1, windowSeconds: 60 }))] as const;
    const countedHit = () =>
      limitTries(
        portal.deps,
        { guards, countedBy: () => guards, hit: async (uncounted) => findUncounted(uncounted) },
        async () => 'tried',
      );
    expect(await countedHit()).toBe('hit');
    expect(await countedHit()).toMatchObject({ code: 'too-many-attempts' });
  });

  test('do not get past the limit by running concurrently', async () => {
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => attempt(false)));
    // Four run at once, so up to three more than ten may start before the tenth is counted.
    expect(outcomes.filter((outcome) => outcome === false).length).toBeLessThanOrEqual(13);
  });
});

test('removes counters that no limit needs any more', async () => {
  await countAgainst(portal.deps, [guardOf(cap('old', { max: 1, windowSeconds: 10 }))]);
  await countAgainst(portal.deps, [guardOf(cap('young', { max: 1, windowSeconds: 10_000 }))]);
  after(5_000);
  await removeCountersEndedBy(portal.deps.db.query, portal.deps.clock());
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT min(window_end) AS "oldest" FROM limit_counter`,
  );
  expect(new Date(String(rows[0]?.oldest)).getTime()).toBeGreaterThan(portal.now.getTime());
});

test('the table reveals nobody', async () => {
  await countAgainst(portal.deps, [
    { limit: cap('x', { max: 1, windowSeconds: 10 }), of: ['zoe@example.com'] },
  ]);
  const { rows } = await portal.deps.db.query.execute(sql`SELECT key FROM limit_counter`);
  expect(JSON.stringify(rows)).not.toContain('zoe@');
});
