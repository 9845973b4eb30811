import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { watchConnections } from './end-connections.ts';

async function useServer() {
  const app = Fastify({ return503OnClosing: false });
  const connections = watchConnections(app.server);
  let goOn = () => {};
  app.get('/stalled', async () => endless());
  app.get('/slow', async (_request, reply) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return reply.header('connection', 'close').send('at last');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const open = async (bytes: string) => {
    const arrived = once(app.server, 'connection');
    const client = connect(port, '127.0.0.1').on('error', () => {});
    await arrived;
    client.write(bytes);
    return client;
  };
  return { app, connections, open, goOn: () => goOn() };
}

/** A download that never ends. */
function endless(): Readable {
  const stream = new Readable({ read() {} });
  stream.push('a beginning');
  return stream;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a server that closes waits for no connection but those whose request is being worked on', async () => {
  const { app, connections, open, goOn } = await useServer();
  const idle = await open('');
  const half = await open('GET /slow HTTP/1.1\r\nHost: ');
  const stalled = await open(get('/stalled'));
  await once(stalled, 'readable');
  const asked = once(app.server, 'request');
  const slow = await open(get('/slow'));
  await asked;

  const closed = app.close();
  const stop = connections.endIdle({ graceMilliseconds: 20 });
  await Promise.all([idle.resume(), half.resume(), stalled.resume()].map((client) => once(client, 'close')));
  goOn();
  expect(Buffer.concat(await slow.toArray()).toString()).toContain('at last');
  await closed;
  stop();
});

test('in the end it ends them all', async () => {
  const { app, connections, open } = await useServer();
  const slow = await open(get('/slow'));
  const closed = app.close();
  connections.endAll();
  await Promise.all([once(slow.resume(), 'close'), closed]);
});
