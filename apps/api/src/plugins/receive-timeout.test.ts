import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { receiveTimeout } from './receive-timeout.ts';

const app = Fastify();
/** Cuts no body off that pauses: a busy machine may pause for longer than a test can wait. */
const patient = Fastify();
/** The bodies that the route of uploads was given, in their order. */
const bodies: IncomingMessage[] = [];

beforeAll(async () => {
  await patient.register(receiveTimeout, { seconds: 0.05, stalledSeconds: 600, slowestBytesPerSecond: 1 });
  patient.post('/short', async (received) => received.body);
  patient.post('/long', { config: { receiveSeconds: 600 } }, async (received) => received.body);
  await app.register(receiveTimeout, { seconds: 0.05, stalledSeconds: 0.3, slowestBytesPerSecond: 1_000 });
  app.post('/short', async (received) => received.body);
  app.addContentTypeParser('text/csv', async (_request: unknown, payload: IncomingMessage) => payload);
  app.post('/upload', { config: { receiveSeconds: 600 } }, async ({ body }) => {
    const upload = body as IncomingMessage;
    bodies.push(upload);
    await finished(upload);
    return 'all of it';
  });
  app.post('/slow-answer', async () => {
    const cut = begin('/short');
    await once(cut, 'response');
    return { late: true };
  });
  for (const each of [app, patient]) await each.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const each of [app, patient]) await each.close();
});

/** Sends a request except for the end of its body. */
function begin(path: string, { type = 'application/json', to = app } = {}): ClientRequest {
  const { port } = to.server.address() as AddressInfo;
  const sending = request({ port, path, method: 'POST', headers: { 'content-type': type } });
  sending.on('error', () => {});
  sending.write('{"a":');
  return sending;
}

async function answerOf(sending: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const chunks = await answer.setEncoding('utf8').toArray();
  return { status: answer.statusCode, body: chunks.join('') };
}

/** Begins an upload whose body goes to `onData`, or to nobody. */
async function upload(onData?: () => void) {
  const at = bodies.length;
  const sending = begin('/upload', { type: 'text/csv' });
  await expect.poll(() => bodies[at], { interval: 1 }).toBeDefined();
  const body = bodies[at] as IncomingMessage;
  if (onData) body.on('data', onData);
  return { sending, body };
}

test('cuts a slow body off with 408, unless its route allows more time', async () => {
  const long = begin('/long', { to: patient });
  expect((await answerOf(begin('/short', { to: patient }))).status).toBe(408);
  long.end('1}');
  expect(await answerOf(long)).toEqual({ status: 200, body: '{"a":1}' });
});

test('cuts a body off with 408 of which nothing more arrives, however much time its route allows, and the route hears of it', async () => {
  const { sending, body } = await upload(() => {});
  const ended = finished(body);
  expect((await answerOf(sending)).status).toBe(408);
  await expect(ended).rejects.toThrow('aborted');
});

test('cuts a body off with 408 that only trickles, however much time its route allows', async () => {
  const { sending } = await upload(() => {});
  const trickle = setInterval(() => sending.write('.'), 50);
  onTestFinished(() => clearInterval(trickle));
  expect((await answerOf(sending)).status).toBe(408);
});

test('cuts no body off that goes on arriving, or that nobody reads meanwhile', async () => {
  const slow = await upload(() => setImmediate(more));
  const more = () => slow.sending.writableEnded || slow.sending.write('more'.repeat(250));
  more();
  const unread = await upload();
  const stalled = await upload(() => {});
  expect((await answerOf(stalled.sending)).status).toBe(408);
  for (const { sending, body } of [slow, unread]) {
    body.removeAllListeners('data').resume();
    sending.end();
    expect(await answerOf(sending)).toEqual({ status: 200, body: 'all of it' });
  }
});

test('gives the answer all its time once the body has arrived', async () => {
  const sending = begin('/slow-answer');
  sending.end('1}');
  expect(await answerOf(sending)).toEqual({ status: 200, body: '{"late":true}' });
});
