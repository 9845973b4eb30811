import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, TEST_SECRETS, testEnv, useTestApp } from '../../../../test/build-test-app.ts';
import { type SignedInUser, signInUser } from '../../../../test/factories/users.ts';
import { deriveKey } from '../../../crypto/derive-key.ts';
import { issueAccessToken, readAccessToken } from './access-tokens.ts';

const portal = useTestApp();
let user: SignedInUser;
let sessionId: string;

beforeAll(async () => {
  user = await signInUser(portal);
  sessionId = JSON.parse(part(user.token, 1)).sid;
});

const part = (token: string, index: number) =>
  Buffer.from(token.split('.')[index] ?? '', 'base64url').toString();
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(portal.now.getTime() / 1000);

/** A token signed with the right key, whatever its content. */
function signed(
  header: unknown,
  claims: unknown,
  key: KeyObject | Buffer = deriveKey(portal.deps.env, 'access tokens'),
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

const goodHeader = { alg: 'HS256', typ: 'at+jwt' };
const goodClaims = () => ({
  iss: 'https://pay.example.com',
  aud: 'brightpane-api',
  sub: user.userId,
  sid: sessionId,
  iat: now(),
  nbf: now(),
  exp: now() + 600,
});
const without = (name: string) =>
  Object.fromEntries(Object.entries(goodClaims()).filter(([claim]) => claim !== name));
const flipped = (text: string, at: number) => {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64url');
};
const withParts = (change: (header: string, claims: string, signature: string) => string) => {
  const [header = '', claims = '', signature = ''] = user.token.split('.');
  return change(header, claims, signature);
};

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

test('accepts a session’s token, and one constructed like it', async () => {
  for (const token of [user.token, signed(goodHeader, goodClaims())]) {
    expect((await call(portal, 'GET', '/user', { token })).statusCode).toBe(200);
  }
});

describe.each<[string, () => string]>([
  ['nothing', () => ''],
  ['a word', () => 'token'],
  ['two parts', () => withParts((header, claims) => `${header}.${claims}`)],
  ['four parts', () => `${user.token}.x`],
  ['an empty signature', () => withParts((header, claims) => `${header}.${claims}.`)],
  ['one bit of the signature changed', () => withParts((h, c, s) => `${h}.${c}.${flipped(s, 5)}`)],
  ['a signature cut short', () => user.token.slice(0, -4)],
  ['one bit of the claims changed', () => withParts((h, c, s) => `${h}.${flipped(c, 30)}.${s}`)],
  [
    'another user in the claims',
    () =>
      withParts(
        (h, _c, s) => `${h}.${encode({ ...goodClaims(), sub: '00000000-0000-4000-8000-000000000000' })}.${s}`,
      ),
  ],
  ['alg none', () => `${encode({ ...goodHeader, alg: 'none' })}.${encode(goodClaims())}.`],
  ['alg NONE', () => `${encode({ ...goodHeader, alg: 'NONE' })}.${encode(goodClaims())}.`],
  ['alg nOnE', () => `${encode({ ...goodHeader, alg: 'nOnE' })}.${encode(goodClaims())}.`],
  ['alg none with a signature', () => signed({ ...goodHeader, alg: 'none' }, goodClaims())],
  ['no alg', () => signed({ typ: 'at+jwt' }, goodClaims())],
  ['HS384 named, HS256 used', () => signed({ ...goodHeader, alg: 'HS384' }, goodClaims())],
  [
    'HS384 with the right key',
    () => {
      const input = `${encode({ ...goodHeader, alg: 'HS384' })}.${encode(goodClaims())}`;
      const key = deriveKey(portal.deps.env, 'access tokens');
      return `${input}.${createHmac('sha384', key).update(input).digest('base64url')}`;
    },
  ],
  [
    'RS256 with a key of its own',
    () => {
      const input = `${encode({ ...goodHeader, alg: 'RS256' })}.${encode(goodClaims())}`;
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
  ],
  ['HS256 with a public key', () => signed(goodHeader, goodClaims(), Buffer.from(publicPem))],
  ['HS256 with an empty key', () => signed(goodHeader, goodClaims(), Buffer.alloc(1))],
  [
    're-signed with the token secret itself',
    () => signed(goodHeader, goodClaims(), Buffer.from(portal.deps.env.TOKEN_SECRET[0] ?? '')),
  ],
  [
    're-signed with the key of refresh tokens',
    () => signed(goodHeader, goodClaims(), deriveKey(portal.deps.env, 'refresh tokens')),
  ],
  [
    'a jwk in the header',
    () =>
      signed(
        { ...goodHeader, jwk: { kty: 'oct', k: 'AAAA' } },
        goodClaims(),
        Buffer.from('AAAA', 'base64url'),
      ),
  ],
  [
    'a kid that is a path',
    () => signed({ ...goodHeader, kid: '../../dev/null' }, goodClaims(), Buffer.alloc(32)),
  ],
  ['a kid that is SQL', () => signed({ ...goodHeader, kid: "' OR 1=1 --" }, goodClaims(), Buffer.alloc(32))],
  ['a critical header that nobody knows', () => signed({ ...goodHeader, crit: ['x'], x: 1 }, goodClaims())],
  ['no typ', () => signed({ alg: 'HS256' }, goodClaims())],
  ['the typ of an identity token', () => signed({ ...goodHeader, typ: 'JWT' }, goodClaims())],
  ['expired', () => signed(goodHeader, { ...goodClaims(), exp: now() - 6 })],
  ['not yet good', () => signed(goodHeader, { ...goodClaims(), nbf: now() + 6 })],
  ['an expiry that is text', () => signed(goodHeader, { ...goodClaims(), exp: '9999999999' })],
  ['an expiry that is no number', () => signed(goodHeader, { ...goodClaims(), exp: null })],
  ['another audience', () => signed(goodHeader, { ...goodClaims(), aud: 'brightpane-office' })],
  ['another issuer', () => signed(goodHeader, { ...goodClaims(), iss: 'https://pay.example.org' })],
  ['claims that are a list', () => signed(goodHeader, [goodClaims()])],
  ['claims that are not JSON', () => signed(goodHeader, 'claims')],
  [
    'deflated claims',
    () => {
      const input = `${encode({ ...goodHeader, zip: 'DEF' })}.${deflateRawSync(JSON.stringify(goodClaims())).toString('base64url')}`;
      return `${input}.${createHmac('sha256', deriveKey(portal.deps.env, 'access tokens')).update(input).digest('base64url')}`;
    },
  ],
  ...['iss', 'aud', 'sub', 'sid', 'iat', 'nbf', 'exp'].map((name): [string, () => string] => [
    `no ${name}`,
    () => signed(goodHeader, without(name)),
  ]),
  ['64 kB', () => signed(goodHeader, { ...goodClaims(), filler: 'x'.repeat(65_536) })],
  ['a refresh token', () => user.refreshToken],
  ['the shared secret', () => TEST_SECRETS.apiSecret],
  [
    'of a deployment with another secret',
    () =>
      issueAccessToken(
        {
          env: testEnv({ TOKEN_SECRET: 'another token secret that is for this test' }),
          hostClock: portal.deps.clock,
        },
        { userId: user.userId, sessionId },
      ),
  ],
  [
    'of a deployment at another address',
    () =>
      issueAccessToken(
        { env: testEnv({ PUBLIC_URL: 'https://other.example.com' }), hostClock: portal.deps.clock },
        { userId: user.userId, sessionId },
      ),
  ],
])('a token that is %s', (_what, make) => {
  test('is answered 401', async () => {
    const answer = await call(portal, 'GET', '/user', { headers: { authorization: `Bearer ${make()}` } });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      title: 'Unauthorized',
      status: 401,
      detail: 'Please sign in again.',
      errors: [],
    });
  });
});

test.each([
  ['no header', undefined],
  ['another scheme', () => `Basic ${user.token}`],
  ['the token alone', () => user.token],
  ['two tokens', () => `Bearer ${user.token} ${user.token}`],
])('%s is answered 401', async (_what, header) => {
  const answer = await call(portal, 'GET', '/user', {
    headers: header ? { authorization: header() } : {},
  });
  expect(answer.statusCode).toBe(401);
});

test('a token is good for ten minutes, and a little for clocks that differ', () => {
  const clock = (seconds: number) => ({ env: portal.deps.env, hostClock: () => new Date(seconds * 1000) });
  const issued = 1_800_000_000;
  const token = issueAccessToken(clock(issued), { userId: user.userId, sessionId });
  const isGoodAt = (second: number) => readAccessToken(clock(second), token) !== null;
  expect([-6, -5, 0, 599, 604, 605].map((offset) => isGoodAt(issued + offset))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});
