import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CliFailure } from './cli-failure.ts';
import { createOfficeClient } from './office-client.ts';

test.each([
  ['UND_ERR_HEADERS_TIMEOUT', 'has not answered yet. It may still do what it was asked.'],
  ['ECONNREFUSED', 'Is it running?'],
])('says what is known after %s', async (code, words) => {
  const cause = Object.assign(new Error('no answer'), { code });
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }));
  await expect(createOfficeClient({}).call('reconcile', { json: {} })).rejects.toThrow(words);
  asked.mockRestore();
});

/** What stands at the portal's address and answers like this. */
async function standIn(answer: (response: ServerResponse) => void): Promise<{ PUBLIC_URL: string }> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { PUBLIC_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const PROBLEM = { title: 'Service Unavailable', status: 503, errors: [] };

const LIMITS = { milliseconds: 50, longMilliseconds: 60_000 };

const silent = () => {};
const trickling = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
};

test.each([
  ['takes the connection and is silent', silent],
  ['trickles its answer', trickling],
])('gives up a call within its limit if the portal %s', async (_what, answer) => {
  const client = createOfficeClient(await standIn(answer), LIMITS);
  const words = `The portal at ${client.url} has not answered within 0.05 seconds.`;
  await expect(client.call('status')).rejects.toThrow(new CliFailure(words));
  const asked = `${words} It may still do what it was asked.`;
  await expect(client.call('restored', { json: {} })).rejects.toThrow(new CliFailure(asked));
});

test('gives up asking whether a silent portal is ready', async () => {
  const client = createOfficeClient(await standIn(silent), LIMITS);
  await expect(client.requireReady()).rejects.toThrow('has not answered within 0.05 seconds.');
});

test.each(['import', 'reconcile', 'review', 'decide'] as const)('gives %s its minutes', async (name) => {
  const late = (response: ServerResponse) =>
    void setTimeout(() => response.end('{}'), 4 * LIMITS.milliseconds);
  const client = createOfficeClient(await standIn(late), LIMITS);
  expect(await client.call(name)).toEqual({});
  await expect(client.call('status')).rejects.toThrow('has not answered within 0.05 seconds.');
});

test.each([
  [
    'is no JSON',
    (response: ServerResponse) => void response.end('<h1>Welcome to nginx</h1>'),
    'What answers at URL is not the portal, or something in between changes its answers.',
  ],
  [
    'is cut',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('[');
      setImmediate(() => response.destroy());
    },
    'The answer of the portal at URL broke off.',
  ],
])('says so if an answer %s', async (_what, answer, words) => {
  const client = createOfficeClient(await standIn(answer), { ...LIMITS, milliseconds: 10_000 });
  await expect(client.call('status')).rejects.toThrow(new CliFailure(words.replace('URL', client.url)));
});

const refusing = (status: number, body: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(body);

test.each([
  [
    'its database is gone',
    refusing(503, JSON.stringify({ ...PROBLEM, detail: 'The database does not answer.' })),
    'The portal is not ready: The database does not answer.',
  ],
  [
    'it is ending',
    refusing(503, JSON.stringify({ ...PROBLEM, detail: 'This instance is ending.' })),
    'The portal is not ready: This instance is ending.',
  ],
  [
    'a proxy answers for a dead one',
    refusing(502, '<h1>502 Bad Gateway</h1>'),
    'What answered 502 at URL is not the portal. Does the portal run, is this its address, and does a proxy let the call through?',
  ],
  [
    'another program answers',
    refusing(404, '{"error":"not found"}'),
    'What answered 404 at URL is not the portal. Does the portal run, is this its address, and does a proxy let the call through?',
  ],
])('says why the portal is not ready if %s', async (_what, answer, words) => {
  const client = createOfficeClient(await standIn(answer));
  await expect(client.requireReady()).rejects.toThrow(new CliFailure(words.replace('URL', client.url)));
});

test('does not take the refusal of a proxy for the portal’s', async () => {
  const client = createOfficeClient(await standIn(refusing(502, '<h1>502 Bad Gateway</h1>')));
  const words = `What answered 502 at ${client.url} is not the portal. Does the portal run, is this its address, and does a proxy let the call through?`;
  await expect(client.call('refunds')).rejects.toMatchObject({ message: words });
  const message = `${words} The portal may still do what it was asked.`;
  await expect(client.call('restored', { json: {} })).rejects.toMatchObject({ message });
});

test('takes only the portal’s word that it does not know the key', async () => {
  const held = 'After a restore, your access has to be confirmed. Ask headquarters.';
  const fromPortal = (detail: string) =>
    refusing(401, JSON.stringify({ title: 'Unauthorized', status: 401, detail, errors: [] }));
  for (const [answer, words] of [
    [fromPortal('This key is not known.'), 'The portal at URL does not know this OFFICE_API_KEY.'],
    [fromPortal(held), held],
    [
      refusing(401, '<h1>401 Authorization Required</h1>'),
      'What answered 401 at URL is not the portal. Does the portal run, is this its address, and does a proxy let the call through?',
    ],
  ] as const) {
    const client = createOfficeClient(await standIn(answer));
    await expect(client.call('status')).rejects.toMatchObject({ message: words.replace('URL', client.url) });
  }
});

test('says why there is no connection where the portal’s name has several addresses', async () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }));
  await expect(createOfficeClient({}).call('status')).rejects.toThrow('(ECONNREFUSED). Is it running?');
  asked.mockRestore();
});
