import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveTimeout } from './receive-timeout.ts';

const app = Fastify();
let port: number;

beforeAll(async () => {
  await app.register(receiveTimeout, { seconds: 0.05 });
  app.post('/short', async (received) => received.body);
  app.post('/long', { config: { receiveSeconds: 60 } }, async (received) => received.body);
  app.post('/slow-answer', async () => {
    const cut = begin('/short');
    await once(cut, 'response');
    return { late: true };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Sends a request except for the end of its body. */
function begin(path: string): ClientRequest {
  const sending = request({ port, path, method: 'POST', headers: { 'content-type': 'application/json' } });
  sending.on('error', () => {});
  sending.write('{"a":');
  return sending;
}

async function answerOf(sending: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const chunks = await answer.setEncoding('utf8').toArray();
  return { status: answer.statusCode, body: chunks.join('') };
}

test('cuts a slow body off with 408, unless its route allows more time', async () => {
  const long = begin('/long');
  expect((await answerOf(begin('/short'))).status).toBe(408);
  long.end('1}');
  expect(await answerOf(long)).toEqual({ status: 200, body: '{"a":1}' });
});

test('gives the answer all its time once the body has arrived', async () => {
  const sending = begin('/slow-answer');
  sending.end('1}');
  expect(await answerOf(sending)).toEqual({ status: 200, body: '{"late":true}' });
});
