import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Connections } from './connections.ts';
import { countDown } from './count-down.ts';
import { type OneAnswer, sendOnce } from './send-once.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

let server: net.Server;
let url: string;
/** The server's ends of the connections. */
let sockets: Socket[];
/** Each request's connection and path. */
let heard: string[];
let connections: Connections;

/** Starts a provider that answers each call, on whatever socket it comes, with what `answer` writes. */
async function serve(answer: (socket: Socket, call: number) => void): Promise<void> {
  server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard.push(`${sockets.indexOf(socket)} ${data.toString().split(' ')[1]}`);
      answer(socket, heard.length);
    });
  });
  await listen(server);
}

async function serveHttp(answer: RequestListener): Promise<void> {
  const http: Server = createServer(answer);
  http.on('connection', (socket) => sockets.push(socket));
  server = http;
  await listen(server);
}

async function listen(listening: net.Server): Promise<void> {
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  // Long enough that a busy machine makes its next call in time.
  connections = new Connections(url, { keptMilliseconds: 60_000 });
}

const call = (path = '/'): Promise<OneAnswer> =>
  sendOnce(
    {
      url: new URL(path, url),
      method: 'POST',
      headers: {},
      body: '{}',
      millisecondsLeft: countDown(10_000),
    },
    connections,
  );

beforeEach(() => {
  sockets = [];
  heard = [];
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const ANSWERED = { kind: 'answer', status: 200, text: '{}' };

test('carries one call after the other on one connection, and calls at once on two', async () => {
  await serve((socket) => socket.write(ANSWER));
  for (const path of ['/a', '/b', '/c']) expect(await call(path)).toEqual(ANSWERED);
  expect(heard).toEqual(['0 /a', '0 /b', '0 /c']);
  expect(await Promise.all([call('/d'), call('/e')])).toEqual([ANSWERED, ANSWERED]);
  expect(sockets).toHaveLength(2);
});

test('asks for an answer that is not encoded, as an encoded one is not read', async () => {
  const asked: unknown[] = [];
  await serveHttp((request, response) => {
    asked.push(request.headers['accept-encoding']);
    response.end('{}');
  });
  expect(await call()).toEqual(ANSWERED);
  expect(asked).toEqual(['identity']);
});

test('leaves nothing behind on a connection that carries many calls', async () => {
  await serve((socket) => socket.write(ANSWER));
  const countListeners = async () => {
    await call();
    const socket = (await connections.take(1_000)) as Socket;
    const count = socket.eventNames().map((name) => [name, socket.listenerCount(name)]);
    connections.keep(socket);
    return count;
  };
  const first = await countListeners();
  for (let calls = 0; calls < 5; calls++) await call();
  expect(await countListeners()).toEqual(first);
  expect(sockets).toHaveLength(1);
});

describe('a kept connection', () => {
  test.each([
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('that the provider %s between two calls is noticed, and the call made on another', async (_, close) => {
    await serve((socket) => socket.write(ANSWER));
    await call('/a');
    close(sockets[0] as Socket);
    expect(await call('/b')).toEqual(ANSWERED);
    expect(heard).toEqual(['0 /a', '1 /b']);
  });

  test.each([
    ['closed', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('that is %s when a call arrives loses it, and nothing is sent again', async (_, close) => {
    await serve((socket, calls) => (calls === 1 ? socket.write(ANSWER) : close(socket)));
    await call('/a');
    expect(await call('/b')).toEqual({ kind: 'lost', reason: 'cut' });
    expect(heard).toEqual(['0 /a', '0 /b']);
  });

  test('on which something arrives that nobody asked for carries no further call', async () => {
    await serve((socket, calls) => socket.write(calls === 1 ? ANSWER : ANSWER.replace('{}', '[]')));
    await call('/a');
    await new Promise((written) => sockets[0]?.write(ANSWER, written));
    expect(await call('/b')).toMatchObject({ text: '[]' });
    expect(heard).toEqual(['0 /a', '1 /b']);
  });

  test('on which an answer came twice carries no further call', async () => {
    await serve((socket, calls) =>
      socket.write(calls === 1 ? `${ANSWER}${ANSWER}` : ANSWER.replace('{}', '[]')),
    );
    await call('/a');
    expect(await call('/b')).toMatchObject({ text: '[]' });
    expect(heard).toEqual(['0 /a', '1 /b']);
  });

  test('is closed soon', async () => {
    await serve((socket) => socket.write(ANSWER));
    connections = new Connections(url, { keptMilliseconds: 20 });
    await call();
    await once(sockets[0] as Socket, 'end');
  });
});

test.each<[string, RequestListener]>([
  ['a server error', (_, response) => void response.writeHead(500).end('{}')],
  ['a refusal', (_, response) => void response.writeHead(429).end('{}')],
  ['a wish to close', (_, response) => void response.writeHead(200, { connection: 'close' }).end('{}')],
  [
    'a short patience',
    (_, response) => void response.writeHead(200, { 'keep-alive': 'timeout=3' }).end('{}'),
  ],
  ['words that are no text', (_, response) => void response.writeHead(200).end(Buffer.of(0xff))],
])('keeps no connection after an answer with %s', async (_, answer) => {
  await serveHttp(answer);
  connections = new Connections(url);
  await call();
  await call();
  expect(sockets).toHaveLength(2);
});
