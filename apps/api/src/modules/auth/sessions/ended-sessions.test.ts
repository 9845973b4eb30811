import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, testEnv, useTestApp } from '../../../../test/build-test-app.ts';
import { afterStatement } from '../../../../test/database/after-statement.ts';
import { type SignedInUser, signInUser } from '../../../../test/factories/users.ts';
import type { Deps } from '../../../deps.ts';
import { openDeps } from '../../../open-deps.ts';
import { hasSessionEnded, noteEndedSessions } from './ended-sessions.ts';
import { endSession } from './sessions.queries.ts';

const portal = useTestApp();
const SECOND_MILLISECONDS = 1_000;
const HOUR_SECONDS = 3_600;

/** By how much this process's own clock is ahead. */
let ahead = 0;
beforeEach(() => {
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead);
});
afterEach(() => vi.restoreAllMocks());

/** This process, in which something happens while each read of the ended sessions is on its way. */
function duringReads(act: (count: number) => void | Promise<void>) {
  let reads = 0;
  const deps = afterStatement(portal.deps, /FROM session WHERE ended_at/, () => {
    if (++reads > 5) throw new Error('the ended sessions are read again and again');
    return act(reads);
  });
  return { deps, reads: () => reads };
}

const sessionOf = ({ token }: SignedInUser): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

const signedIn = async () => sessionOf(await signInUser(portal));

async function end(sessionId: string, deps: Deps = portal.deps): Promise<void> {
  await endSession(deps.db.query, sessionId);
  noteEndedSessions(deps);
}

describe('a call waits for one read of the ended sessions', () => {
  test('even if reads take longer than what they say is good for', async () => {
    const sessionId = await signedIn();
    ahead += 2 * SECOND_MILLISECONDS;
    const { deps, reads } = duringReads(() => {
      ahead += 1_100;
    });
    expect(await hasSessionEnded(deps, sessionId)).toBe(false);
    expect(reads()).toBe(1);
  });

  test('even if more sessions end during each', async () => {
    const sessionId = await signedIn();
    ahead += 2 * SECOND_MILLISECONDS;
    const { deps, reads } = duringReads(async () => end(await signedIn()));
    expect(await hasSessionEnded(deps, sessionId)).toBe(false);
    expect(reads()).toBe(1);
  });

  test('and for the next one if the session ended during the one under way', async () => {
    const sessionId = await signedIn();
    ahead += 2 * SECOND_MILLISECONDS;
    let later: boolean | Promise<boolean> = false;
    const { deps, reads } = duringReads(async (count) => {
      if (count > 1) return;
      await end(sessionId);
      later = hasSessionEnded(deps, sessionId);
    });
    expect(await hasSessionEnded(deps, await signedIn())).toBe(false);
    expect(await later).toBe(true);
    expect(reads()).toBe(2);
  });
});

describe('an ended session stays ended when the engine’s clock jumps', () => {
  const status = async ({ token }: SignedInUser) =>
    (await call(portal, 'GET', '/user', { token })).statusCode;

  async function signedOut(): Promise<SignedInUser> {
    const user = await signInUser(portal);
    expect(await status(user)).toBe(200);
    await call(portal, 'POST', '/authentication/logout', { body: { refreshToken: user.refreshToken } });
    return user;
  }

  async function jump(seconds: number): Promise<void> {
    await advanceEngineClock(portal.deps, seconds);
    ahead += 2 * SECOND_MILLISECONDS;
  }

  test('where it was known before', async () => {
    const user = await signedOut();
    expect(await status(user)).toBe(401);
    for (const _ of [1, 2]) {
      await jump(24 * HOUR_SECONDS);
      expect(await status(user)).toBe(401);
    }
  });

  test('where nobody has asked since', async () => {
    const user = await signedOut();
    await jump(24 * HOUR_SECONDS);
    expect(await status(user)).toBe(401);
  });

  test('at an instance that has started since', async () => {
    const user = await signedOut();
    await jump(HOUR_SECONDS);
    const { DATABASE_URL } = portal.deps.env;
    const started = await openDeps(testEnv({ DATABASE_URL }), { clock: () => portal.now });
    try {
      expect(await hasSessionEnded(started, sessionOf(user))).toBe(true);
    } finally {
      await started.db.close();
    }
  });
});

test('an ended session is forgotten once its tokens have expired', async () => {
  const sessionId = await signedIn();
  await end(sessionId);
  expect(await hasSessionEnded(portal.deps, sessionId)).toBe(true);
  await advanceEngineClock(portal.deps, HOUR_SECONDS);
  ahead += 10 * 60 * SECOND_MILLISECONDS;
  expect(await hasSessionEnded(portal.deps, sessionId)).toBe(true);
  ahead += 2 * 60 * SECOND_MILLISECONDS;
  expect(await hasSessionEnded(portal.deps, sessionId)).toBe(false);
});
