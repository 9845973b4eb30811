import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitUnanswered, MOST_UNANSWERED } from './limit-unanswered.ts';
import { dropGone } from './refuse-early.ts';

/** Far more than fits between a server and a client that doesn't read. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

// Long enough for a request to arrive on a busy machine.
const app = Fastify({ connectionTimeout: 600 });
let port: number;
/** The files that were asked for, each with no more to send than has been sent. */
const files: Readable[] = [];
/** How many slow requests came, and how many of their answers heard that they were over. */
let asked = 0;
let told = 0;
let goOn = () => {};

beforeAll(async () => {
  limitUnanswered(app.server);
  app.addHook('onRequest', dropGone);
  app.get('/brief', async () => 'brief');
  app.get('/large', async () => LARGE);
  app.get('/file', async () => {
    const file = new Readable({ read() {} });
    files.push(file);
    return file;
  });
  app.get('/slow', async (_request, reply) => {
    asked++;
    reply.raw.once('close', () => told++);
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return 'at last';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: pay.example.com', ...headers, '', ''].join('\r\n');

async function open(): Promise<{ client: Socket; ours: Socket }> {
  const arrived = once(app.server, 'connection');
  const client = connect(port, '127.0.0.1').on('error', () => {});
  return { client, ours: (await arrived)[0] };
}

test('answers as many requests at once as a connection may ask', async () => {
  const { client } = await open();
  client.write(get('/brief').repeat(MOST_UNANSWERED - 1) + get('/brief', 'Connection: close'));
  const text = Buffer.concat(await client.toArray()).toString();
  expect(text.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(MOST_UNANSWERED);
});

test.each(['/slow', '/%zz'])('ends a connection that asks more than that: %s', async (path) => {
  const { client, ours } = await open();
  const closed = once(ours, 'close');
  client.write(get('/slow') + get(path).repeat(MOST_UNANSWERED));
  await closed;
});

test('works on nothing that the same bytes ask beyond that', async () => {
  const before = files.length;
  const { client, ours } = await open();
  client.write(get('/file').repeat(100));
  await once(ours, 'close');
  expect(files.length - before).toBe(MOST_UNANSWERED);
});

test('tells all answers that their connection was reset, not only the first', async () => {
  [asked, told] = [0, 0];
  const { client, ours } = await open();
  client.write(get('/slow').repeat(5));
  await expect.poll(() => asked).toBe(5);
  client.resetAndDestroy();
  await expect.poll(() => ours.closed).toBe(true);
  expect(told).toBe(5);
});

test('ends a connection whose client stops reading', async () => {
  const { client, ours } = await open();
  client.pause();
  const closed = once(ours, 'close');
  client.write(get('/large'));
  await closed;
  client.destroy();
});

test('ends no connection on which it is silent itself', async () => {
  const { client, ours } = await open();
  client.write(get('/slow', 'Connection: close'));
  await once(ours, 'timeout');
  goOn();
  expect(Buffer.concat(await client.toArray()).toString()).toContain('at last');
});
