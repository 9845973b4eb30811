import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cors } from './cors.ts';
import { problemDetails } from './problem-details.ts';

const ALLOWED = ['https://shop.example.com', 'http://localhost:5173'];

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(problemDetails);
  await app.register(cors, { origins: ALLOWED });
  app.get('/api/user', async () => ({}));
  app.get('/', async () => 'page');
});
afterAll(() => app.close());

const preflight = (origin: string) =>
  app.inject({
    method: 'OPTIONS',
    url: '/api/user',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-apisecret',
    },
  });
const call = (origin: string) => app.inject({ url: '/api/user', headers: { origin } });

test.each(ALLOWED)('a page of %s may call the API', async (origin) => {
  const asked = await preflight(origin);
  expect(asked.statusCode).toBe(204);
  expect(asked.headers).toMatchObject({
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, x-apisecret, idempotency-key, if-match, terms-version',
    'access-control-max-age': '600',
  });
  const called = await call(origin);
  expect(called.headers).toMatchObject({
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'idempotency-replayed, retry-after',
  });
  for (const { headers } of [asked, called]) {
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

test('allows such a page to read a refusal too', async () => {
  const answer = await app.inject({ url: '/api/nothing', headers: { origin: ALLOWED[0] } });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['access-control-allow-origin']).toBe(ALLOWED[0]);
});

test.each([
  ['a longer host', 'https://shop.example.com.evil.example'],
  ['a host that ends like it', 'https://evilshop.example.com'],
  ['a host below it', 'https://a.shop.example.com'],
  ['the host above it', 'https://example.com'],
  ['without TLS', 'http://shop.example.com'],
  ['another scheme', 'ftp://shop.example.com'],
  ['another port', 'https://shop.example.com:8443'],
  ['its own port, written out', 'https://shop.example.com:443'],
  ['a trailing dot', 'https://shop.example.com.'],
  ['capitals', 'https://SHOP.example.com'],
  ['a slash', 'https://shop.example.com/'],
  ['two at once', 'https://shop.example.com, https://evil.example'],
  ['a look-alike', 'https://xn--shp-hna.example.com'],
  ['a sandboxed page', 'null'],
  ['a star', '*'],
])('refuses %s as another origin', async (_what, origin) => {
  for (const answer of [await preflight(origin), await call(origin)]) {
    const granted = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    expect(granted).toEqual([]);
    expect(answer.headers.vary).toBe('origin');
  }
});

describe('without a list', () => {
  test('no other origin may call the API', async () => {
    const closed = Fastify();
    await closed.register(cors, { origins: [] });
    closed.get('/api/user', async () => ({}));
    const answer = await closed.inject({ url: '/api/user', headers: { origin: 'https://shop.example.com' } });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    await closed.close();
  });
});

test('allows no other origin to read pages', async () => {
  const answer = await app.inject({ url: '/', headers: { origin: ALLOWED[0] } });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});
