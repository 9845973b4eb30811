import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretCheck } from '../crypto/secret-check.ts';
import { problemDetails } from './problem-details.ts';
import { sharedSecret } from './shared-secret.ts';

const NEW = 'the-new-api-secret';
const OLD = 'the-old-api-secret';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(problemDetails);
  await app.register(sharedSecret, { secrets: [NEW, OLD] });
  app.post('/sale', async () => 'reached');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Uses a real socket, so that headers arrive exactly as sent. */
function post(secret: string | string[] | undefined, body = '{}'): Promise<number | undefined> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/sale',
        headers: {
          'content-type': 'application/json',
          ...(secret !== undefined && { 'x-apisecret': secret }),
        },
      },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each([
  ['the present secret', NEW],
  ['the one before it, while one replaces the other', OLD],
])('accepts %s', async (_what, secret) => {
  expect(await post(secret)).toBe(200);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['another', 'the-new-api-secreT'],
  ['the beginning of it', NEW.slice(0, -1)],
  ['more than it', `${NEW}x`],
  ['both in one', `${NEW},${OLD}`],
  ['the same one twice', [NEW, NEW]],
  ['two of them', [NEW, 'another']],
])('%s is not', async (_what, secret) => {
  expect(await post(secret)).toBe(401);
});

test('who is not known is refused before the body is read', async () => {
  expect(await post('another', '{"not json')).toBe(401);
  expect(await post(NEW, '{"not json')).toBe(400);
});

test.each([
  ['a secret', 'a secret', true],
  ['a secret', 'A secret', false],
  ['', '', true],
  ['short', 'a much longer one', false],
  ['zoë', 'zoe', false],
  ['a', 'a\0', false],
  ['x'.repeat(300), 'x'.repeat(300), true],
  ['x'.repeat(300), 'x'.repeat(299), false],
  ['x'.repeat(600), 'x'.repeat(300), false],
  ['ë'.repeat(128), 'ë'.repeat(128), true],
  ['ë'.repeat(129), 'ë'.repeat(128), false],
])('%j and %j are the same: %j', (given, expected, same) => {
  expect(secretCheck([expected])(given)).toBe(same);
});
