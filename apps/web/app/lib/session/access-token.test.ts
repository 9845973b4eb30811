import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore, type TextStore } from '@brightpane/ui/browser-storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

type Reply = { status: number; body?: unknown } | 'cut';

let api: Server;
let replies: Reply[] = [];
let asked: unknown[] = [];
/** The API answers once this is over. */
let held: Promise<void> = Promise.resolve();
let localStorage: TextStore = memoryStore();
let sessionStorage: TextStore = memoryStore();
let accessToken: typeof import('./access-token.ts').accessToken;
let reports: { level: string; text: string }[];

/** Node's own fetch and locks, a storage in memory and a scripted API stand in for the browser. */
beforeAll(async () => {
  api = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', async () => {
      asked.push({ url: request.url, secret: request.headers['x-apisecret'], ...JSON.parse(text) });
      await held;
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (reply === undefined || reply === 'cut') return request.socket.destroy();
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const settings = JSON.stringify({ apiSecret: 'the-secret' });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: settings }) });
  vi.stubGlobal('window', {
    location: { origin: `http://127.0.0.1:${port}` },
    get localStorage() {
      return localStorage;
    },
    get sessionStorage() {
      return sessionStorage;
    },
  });
  ({ accessToken } = await import('./access-token.ts'));
  const { connectReporter } = await import('@brightpane/ui/reporting/telemetry');
  connectReporter({ send: ({ level, text }) => reports.push({ level, text }), nameAccount: () => {} });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => api.close(resolve));
});

beforeEach(() => {
  replies = [{ status: 200, body: { accessToken: 'new', refreshToken: 'next', expiresIn: 600 } }];
  asked = [];
  held = Promise.resolve();
  reports = [];
  localStorage = memoryStore();
  sessionStorage = memoryStore();
});

function keep(session: { access?: string; refresh?: string; expiration?: string }) {
  if (session.access) localStorage.setItem('auth.token', session.access);
  if (session.refresh) localStorage.setItem('auth.refreshToken', session.refresh);
  if (session.expiration) localStorage.setItem('auth.tokenExpiration', session.expiration);
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const PAST = '2020-01-01T00:00:00.000Z';

/** The token that was found, or none. */
async function findAccessToken(): Promise<string | null> {
  const found = await accessToken();
  if (!found.ok) throw new Error(`answered with ${found.problem.status}`);
  return found.data;
}

/** A refresh that has been asked for, and is answered when the test says so. */
async function underWay(): Promise<{ token: Promise<string | null>; answer: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const already = asked.length;
  const token = findAccessToken();
  await vi.waitFor(() => expect(asked).toHaveLength(already + 1));
  return { token, answer: resolve };
}

describe('the access token', () => {
  test('is the stored one while it lasts, without asking', async () => {
    keep({ access: 'old', refresh: 'r', expiration: inAnHour() });
    expect(await findAccessToken()).toBe('old');
    expect(asked).toEqual([]);
  });

  test.each([
    ['it is missing', { refresh: 'r', expiration: inAnHour() }],
    ['its expiration is missing', { access: 'old', refresh: 'r' }],
    ['its expiration is past', { access: 'old', refresh: 'r', expiration: PAST }],
    ['its expiration cannot be read', { access: 'old', refresh: 'r', expiration: 'soon' }],
  ])('is refreshed and stored when %s', async (_, session) => {
    keep(session);
    expect(await findAccessToken()).toBe('new');
    expect(asked).toEqual([{ url: '/api/authentication/refresh', secret: 'the-secret', refreshToken: 'r' }]);
    expect(localStorage.getItem('auth.refreshToken')).toBe('next');
    expect(new Date(localStorage.getItem('auth.tokenExpiration') ?? '') > new Date()).toBe(true);
  });

  test('is asked for once by twenty callers at the same time', async () => {
    keep({ refresh: 'r' });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => findAccessToken()));
    expect(new Set(tokens)).toEqual(new Set(['new']));
    expect(asked).toHaveLength(1);
  });

  test('is the one that another tab has fetched while this one waited for its turn', async () => {
    keep({ access: 'old', refresh: 'r', expiration: PAST });
    let token: Promise<string | null> = Promise.resolve(null);
    await navigator.locks.request('auth.refresh', async () => {
      token = findAccessToken();
      keep({ access: 'theirs', refresh: 'their-next', expiration: inAnHour() });
    });
    expect(await token).toBe('theirs');
    expect(asked).toEqual([]);
  });

  test('is none without a refresh token, which is warned of', async () => {
    expect(await findAccessToken()).toBeNull();
    expect(reports).toEqual([{ level: 'warning', text: 'No refresh token' }]);
  });

  test('is none when the refresh is refused: the session ends and the error is reported', async () => {
    keep({ access: 'old', refresh: 'r', expiration: PAST });
    replies = [{ status: 401, body: { detail: 'Failed' } }];
    expect(await findAccessToken()).toBeNull();
    expect(localStorage.getItem('auth.refreshToken')).toBeNull();
    expect(localStorage.getItem('auth.token')).toBeNull();
    expect(reports).toEqual([{ level: 'error', text: 'Unable to refresh the session: Failed' }]);
  });

  test('comes through after a busy server was asked twice more', async () => {
    keep({ refresh: 'r' });
    replies = [{ status: 429 }, { status: 503 }, ...replies];
    expect(await findAccessToken()).toBe('new');
    expect(asked).toHaveLength(3);
  });

  test('is none after a third busy answer', async () => {
    keep({ refresh: 'r' });
    replies = [{ status: 503 }];
    expect(await findAccessToken()).toBeNull();
    expect(asked).toHaveLength(3);
    expect(localStorage.getItem('auth.refreshToken')).toBeNull();
  });

  test.each([
    ['granted', { status: 200, body: { accessToken: 'new', refreshToken: 'next', expiresIn: 600 } }],
    ['refused', { status: 401, body: { detail: 'Failed' } }],
  ])('leaves alone who logged out or signed in while a refresh was %s', async (_, reply) => {
    keep({ refresh: 'r' });
    replies = [reply];
    const late = await underWay();
    localStorage.removeItem('auth.refreshToken');
    late.answer();
    expect(await late.token).toBeNull();
    expect(localStorage.getItem('auth.refreshToken')).toBeNull();

    keep({ refresh: 'r' });
    const later = await underWay();
    keep({ access: 'mine', refresh: 'mine-too', expiration: inAnHour() });
    later.answer();
    expect(await later.token).toBe('mine');
    expect(localStorage.getItem('auth.refreshToken')).toBe('mine-too');
    expect(reports).toEqual([]);
  });

  test('is not known where nobody answers: the session stays, and the call has no answer', async () => {
    keep({ access: 'old', refresh: 'r', expiration: PAST });
    replies = ['cut'];
    expect(await accessToken()).toMatchObject({ ok: false, problem: { status: 0 } });
    expect(localStorage.getItem('auth.refreshToken')).toBe('r');
    expect(reports).toHaveLength(1);
  });
});
