import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { problemSchema } from '@brightpane/contract/problem';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { MOST_UNANSWERED } from '../../src/http/limit-unanswered.ts';
import { TEST_SECRETS, useTestApp } from '../build-test-app.ts';
import { sendRaw } from './raw-socket.ts';
import { MARK } from './spoil.ts';

const portal = useTestApp();
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = await buildApp(portal.deps, {
    patience: {
      headersSeconds: 0.2,
      bodySeconds: 0.2,
      checkSeconds: 0.05,
      lingerSeconds: 0.2,
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const SECRET = `X-APISecret: ${TEST_SECRETS.apiSecret}`;

/** A request's lines, with the connection closed afterwards. */
const request = (first: string, headers: string[] = [], body = '') =>
  [first, 'Host: pay.example.com', 'Connection: close', ...headers, '', body].join('\r\n');
const post = (headers: string[], body: string, path = '/api/authentication/login') =>
  request(`POST ${path} HTTP/1.1`, [SECRET, 'Content-Type: application/json', ...headers], body);
const get = (headers: string[] = [], path = '/api/health/live') => request(`GET ${path} HTTP/1.1`, headers);
const live = get();
const many = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: ${MARK}`);

/** Whatever is sent, no answer may reveal internals. */
async function expectAnswers(bytes: string | Buffer, statuses: number[]): Promise<void> {
  const answers = await sendRaw(port, bytes);
  expect(answers.map((answer) => answer.status)).toEqual(statuses);
  for (const { status, headers, body } of answers) {
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(JSON.stringify(headers) + body).not.toContain(MARK);
    if (status < 400) continue;
    expect(problemSchema.strict().parse(JSON.parse(body)).status).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    });
  }
}

type Row = readonly [what: string, bytes: string | Buffer, ...statuses: number[]];

const TABLE: readonly Row[] = [
  ['headers that never end', 'GET /api/health/live HTTP/1.1\r\nHost: pay.example.com\r\nX-Slow: ', 408],
  ['a first line that never ends', 'GET /api/health/li', 408],
  ['a body that never comes', post(['Content-Length: 20'], ''), 408],
  ['a body that stops', post(['Content-Length: 20'], '{"email":'), 408],
  ['chunks that stop', post(['Transfer-Encoding: chunked'], '5\r\n{"ema'), 408],
  ['two lengths', post(['Content-Length: 2', 'Content-Length: 20'], '{}'), 400],
  ['one length twice', post(['Content-Length: 2', 'Content-Length: 2'], '{}'), 400],
  ['a list of lengths', post(['Content-Length: 2, 2'], '{}'), 400],
  ['a length and chunks', post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'), 400],
  ['chunks and a length', post(['Transfer-Encoding: chunked', 'Content-Length: 2'], '0\r\n\r\n'), 400],
  ['a negative length', post(['Content-Length: -2'], '{}'), 400],
  ['a length with a sign', post(['Content-Length: +2'], '{}'), 400],
  ['a hexadecimal length', post(['Content-Length: 0x2'], '{}'), 400],
  ['an endless length', post([`Content-Length: ${'9'.repeat(30)}`], '{}'), 400],
  ['a length beyond what is taken', post(['Content-Length: 999999999'], '{}'), 413],
  ['an unknown transfer encoding', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'), 400],
  ['chunks that are not last', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'), 400],
  ['a chunk without a length', post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk with an endless length', post(['Transfer-Encoding: chunked'], `${'f'.repeat(40)}\r\n`), 400],
  ['headers beyond 16 KiB', get([`X-Long: ${MARK.repeat(8000)}`]), 431],
  ['an address beyond 16 KiB', get([], `/api/${MARK.repeat(8000)}`), 431],
  ['more than a hundred headers', get(many(101)), 431],
  ['a header name with a blank', get([`X-Bad : ${MARK}`]), 400],
  ['a header that goes on in the next line', get(['X-Folded: a', ` ${MARK}`]), 400],
  ['a header without a name', get([`: ${MARK}`]), 400],
  ['a header without a colon', get([MARK]), 400],
  ['a lone carriage return in a header', get([`X-Split: a\rSet-Cookie: ${MARK}`]), 400],
  ['a NUL in a header', get([`X-Nul: \u0000${MARK}`]), 400],
  ['no Host', `GET /api/health/live HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
  ['two Hosts', get([`Host: ${MARK}.example.com`]), 400],
  ['a foreign Host', live.replace('pay.example.com', `${MARK}.example.com`), 200],
  ['a Host that is markup', live.replace('pay.example.com', `<script>${MARK}</script>`), 200],
  ['two Authorizations', get([`Authorization: Bearer ${MARK}`, 'Authorization: Bearer b'], '/api/user'), 400],
  ['two content types', post(['Content-Length: 2', 'Content-Type: text/plain'], '{}'), 400],
  ['two secrets', post(['Content-Length: 2', SECRET], '{}'), 401],
  ['the method TRACE', request('TRACE /api/user HTTP/1.1', [`X-Echo: ${MARK}`]), 404],
  ['an unknown method', request(`${MARK.toUpperCase()} /api/user HTTP/1.1`), 400],
  ['a method in small letters', request('get /api/health/live HTTP/1.1'), 400],
  ['HTTP/0.9', 'GET /api/health/live\r\n\r\n', 400],
  ['HTTP/1.0 without a Host', 'GET /api/health/live HTTP/1.0\r\n\r\n', 200],
  ['HTTP/3.0', request('GET /api/health/live HTTP/3.0'), 400],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['the beginning of TLS', Buffer.from('160301020001000001fc0303', 'hex'), 400],
  ['bytes that mean nothing', Buffer.alloc(64, 0x80), 400],
  ['a blank in the address', request('GET /api/health live HTTP/1.1'), 400],
  ['a NUL in the address', request('GET /api/\u0000 HTTP/1.1'), 400],
  ['an address with its host', request(`GET http://${MARK}.example.com/api/health/live HTTP/1.1`), 200],
  ['a foreign address', request(`GET http://${MARK}.example.com/elsewhere HTTP/1.1`), 404],
  ['an address that is a star', request('OPTIONS * HTTP/1.1'), 404],
  ['two requests at once', live.replace('Connection: close', 'Connection: keep-alive') + live, 200, 200],
  ['a request hidden behind a body', post(['Content-Length: 2'], `{}${live}`), 400],
  ['a wish to become a web socket', get(['Connection: Upgrade', 'Upgrade: websocket']), 200],
  ['an expectation that nobody knows', post([`Expect: ${MARK}`, 'Content-Length: 2'], '{}'), 400],
];

describe('bytes on a connection', () => {
  for (const [what, bytes, ...statuses] of TABLE) test(what, () => expectAnswers(bytes, statuses));

  test('CONNECT gets no tunnel', async () => {
    expect(await sendRaw(port, request(`CONNECT ${MARK}.example.com:443 HTTP/1.1`))).toEqual([]);
  });

  test.each([
    ['no HTTP', 'not HTTP\r\n\r\n', 400],
    ['headers that never end', 'GET / HTTP/1.1\r\nX-Slow: ', 408],
    ['a body that goes on arriving too slowly', post(['Content-Length: 20'], '{'), 408],
  ])('a refusal can be read by whoever goes on sending, and is the end: %s', async (_what, bytes, status) => {
    const arrived = once(app.server, 'connection');
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    const [ours] = (await arrived) as [Socket];
    const closed = once(ours, 'close');
    client.write(bytes);
    const [refusal] = await once(client, 'data');
    expect(String(refusal)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    client.write('and more');
    await closed;
    client.destroy();
  });

  test.each(['/api/health/live', '/api/openapi.json', '/api/%zz', '/nothing/here'])(
    'more requests at once than anybody needs end their connection, and get few answers: %s',
    async (path) => {
      const kept = live.replace('Connection: close', 'Connection: keep-alive');
      const answers = await sendRaw(port, kept.replace('/api/health/live', path).repeat(1_000));
      expect(answers.length).toBeLessThanOrEqual(MOST_UNANSWERED);
    },
  );

  test('after all that the server still answers', async () => {
    await expectAnswers(live, [200]);
  });
});
