import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpProblem } from '../http/problem.ts';
import { refuseAddresses } from '../http/refuse-early.ts';
import { problemDetails } from './problem-details.ts';
import { securityHeaders } from './security-headers.ts';

const EVERYWHERE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/^(?:[a-z-]+=\(\)(?:, )?)+$/),
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

async function serve(publicUrl: string): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 100, frameworkErrors: refuseAddresses({ publicUrl }) });
  await app.register(problemDetails);
  await app.register(securityHeaders, { publicUrl });
  app.post('/', async () => ({ ok: true }));
  app.get('/empty', async (_request, reply) => reply.code(204).send());
  app.get('/refused', async () => {
    throw new HttpProblem(409, 'No.');
  });
  app.get('/broken', async () => {
    throw new Error('a bug');
  });
  app.get('/kept', async (_request, reply) => reply.header('cache-control', 'private, max-age=60').send('x'));
  return app;
}

let app: FastifyInstance;
beforeAll(async () => {
  app = await serve('https://pay.example.com');
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
test.each([
  [200, { method: 'POST', url: '/', headers: json, payload: '{}' }],
  [204, { method: 'GET', url: '/empty' }],
  [204, { method: 'HEAD', url: '/empty' }],
  [400, { method: 'POST', url: '/', headers: json, payload: '{' }],
  [404, { method: 'GET', url: '/nothing' }],
  [404, { method: 'DELETE', url: '/' }],
  [404, { method: 'OPTIONS', url: '/' }],
  [409, { method: 'GET', url: '/refused' }],
  [413, { method: 'POST', url: '/', headers: json, payload: `{"a":"${'x'.repeat(100)}"}` }],
  [415, { method: 'POST', url: '/', headers: { 'content-type': 'text/html' }, payload: '{}' }],
  [500, { method: 'GET', url: '/broken' }],
] as const)('sends every protective header with an answer of %i to %o', async (status, request) => {
  const answer = await app.inject(request);
  expect(answer.statusCode).toBe(status);
  expect(answer.headers).toMatchObject(EVERYWHERE);
  for (const name of ['server', 'x-powered-by', 'etag']) expect(answer.headers).not.toHaveProperty(name);
});

test('an address that cannot be read is refused before all that, and carries them too', async () => {
  const answer = await app.inject('/%E0%A4%A');
  expect(answer.statusCode).toBe(400);
  expect(answer.headers).toMatchObject({ ...EVERYWHERE, 'x-request-id': expect.any(String) });
});

test('what says how long it may be kept is taken at its word', async () => {
  expect((await app.inject('/kept')).headers['cache-control']).toBe('private, max-age=60');
});

test('denies camera, payment and other features', async () => {
  const policy = String((await app.inject('/empty')).headers['permissions-policy']);
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture']) {
    expect(policy).toContain(`${feature}=()`);
  }
});

test('without TLS nobody is told to insist on it', async () => {
  const plain = await serve('http://localhost:3000');
  for (const url of ['/empty', '/%E0%A4%A']) {
    expect((await plain.inject(url)).headers).not.toHaveProperty('strict-transport-security');
  }
  await plain.close();
});
