import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser, signInUser, startSessionOf } from '../../../../test/factories/users.ts';
import { session } from '../../../db/schema/people.ts';

const portal = useTestApp();
const START = new Date('2026-11-15T18:00:00Z');
let ahead = 0;
/** Moves both clocks: tokens use the portal's, sessions the engine's. */
async function after(seconds: number) {
  portal.now = new Date(START.getTime() + seconds * 1000);
  await advanceEngineClock(portal.deps, seconds - ahead);
  ahead = seconds;
}

beforeEach(() => after(0));

const refresh = (refreshToken: unknown) =>
  call(portal, 'POST', '/authentication/refresh', { body: { refreshToken } });

async function next(refreshToken: string): Promise<string> {
  const answer = await refresh(refreshToken);
  expect(answer.statusCode).toBe(200);
  return answer.json().refreshToken;
}

describe('POST /authentication/refresh', () => {
  test('answers a new pair, and the new access token is good', async () => {
    const { refreshToken } = await signInUser(portal);
    await after(700);
    const answer = await refresh(refreshToken);
    expect(answer.json()).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 600,
    });
    expect(answer.json().refreshToken).not.toBe(refreshToken);
    const me = await call(portal, 'GET', '/user', { token: answer.json().accessToken });
    expect(me.statusCode).toBe(200);
  });

  test('the previous token gets the same successor for thirty seconds', async () => {
    const { refreshToken: first } = await signInUser(portal);
    const second = await next(first);
    await after(29);
    expect(await next(first)).toBe(second);
    expect(await next(second)).not.toBe(second);
  });

  test('the previous token ends the session after thirty seconds', async () => {
    const user = await signInUser(portal);
    const second = await next(user.refreshToken);
    await after(31);
    expect((await refresh(user.refreshToken)).statusCode).toBe(401);
    expect((await refresh(second)).statusCode).toBe(401);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
  });

  test('an older token ends the session at once', async () => {
    const { refreshToken: first } = await signInUser(portal);
    const second = await next(first);
    const third = await next(second);
    expect((await refresh(first)).statusCode).toBe(401);
    expect((await refresh(third)).statusCode).toBe(401);
  });

  test('ending a session ends no other', async () => {
    const user = await makeUser(portal);
    const tokens = await Promise.all([1, 2].map(() => startSessionOf(portal.deps, user)));
    const [stolen, other] = tokens.map((pair) => pair.refreshToken);
    await next(await next(String(stolen)));
    expect((await refresh(stolen)).statusCode).toBe(401);
    expect((await refresh(other)).statusCode).toBe(200);
  });

  test.each([2, 5, 20])(
    '%i tabs at once stay signed in, with one session and one successor',
    async (tabs) => {
      const user = await signInUser(portal);
      const answers = await Promise.all(Array.from({ length: tabs }, () => refresh(user.refreshToken)));

      expect(answers.map((answer) => answer.statusCode)).toEqual(Array.from({ length: tabs }, () => 200));
      expect(new Set(answers.map((answer) => answer.json().refreshToken)).size).toBe(1);
      const rows = await portal.deps.db.query.select().from(session).where(eq(session.userId, user.userId));
      expect(rows).toMatchObject([{ generation: 2, endedAt: null }]);
    },
  );

  test('a session that is used goes on for thirty days and not longer', async () => {
    const { refreshToken: first } = await signInUser(portal);
    let token = first;
    for (const day of [6, 12, 18, 24, 29.9]) {
      await after(day * 86_400);
      token = await next(token);
    }
    await after(30 * 86_400);
    expect((await refresh(token)).statusCode).toBe(401);
  });

  test('a session that nobody refreshes for seven days ends', async () => {
    const day = 86_400;
    const { refreshToken: first } = await signInUser(portal);
    await after(7 * day - 3600);
    const second = await next(first);
    await after(14 * day - 3600 + 60);
    expect((await refresh(second)).statusCode).toBe(401);
  });

  test.each<[string, (token: string) => string]>([
    [
      'altered by one bit',
      (token) => `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
    ],
    ['cut short', (token) => token.slice(0, -1)],
    ['longer', (token) => `${token}AAAA`],
    ['spelled with padding', (token) => `${token}==`],
    ['with a space in it', (token) => `${token.slice(0, 10)} ${token.slice(10)}`],
    ['of a generation that was never issued', (token) => bumped(token)],
    ['a word', () => 'token'],
  ])('a token that is %s is refused, and ends nothing', async (_what, change) => {
    const user = await signInUser(portal);
    const answer = await refresh(change(user.refreshToken));
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toBe('Your session has ended. Please sign in again.');
    expect((await refresh(user.refreshToken)).statusCode).toBe(200);
  });

  test('an access token is not accepted as a refresh token', async () => {
    const user = await signInUser(portal);
    expect((await refresh(user.token)).statusCode).toBe(401);
  });

  test.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['a number', 7],
    ['an endless one', 'x'.repeat(501)],
  ])('%s for a token is refused with a sentence', async (_what, refreshToken) => {
    const answer = await refresh(refreshToken);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      errors: [{ field: 'refreshToken', description: 'A refresh token is needed.' }],
    });
  });

  test('nothing that is stored can be used as a token', async () => {
    const user = await signInUser(portal);
    const rows = await portal.deps.db.query.select().from(session).where(eq(session.userId, user.userId));
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(user.refreshToken);
    expect(stored).not.toContain(user.token.split('.')[2]);
  });
});

/** Raises the token's generation and keeps its signature. */
function bumped(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes.writeUInt32BE(bytes.readUInt32BE(16) + 1, 16);
  return bytes.toString('base64url');
}
