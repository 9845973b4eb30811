import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore, type TextStore } from '@brightpane/ui/browser-storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

let api: Server;
let status = 200;
/** Tokens that the server takes no more. */
let refused = new Set<string | undefined>();
/** When the server answers. */
let answers: Promise<void> = Promise.resolve();
let asked: { url: string | undefined; authorization: string | undefined }[] = [];
let localStorage: TextStore = memoryStore();
let sessionStorage: TextStore = memoryStore();
let reports: { level: string; text: string }[] = [];
let replaced: string[] = [];
let callApi: typeof import('./api-client.ts').callApi;
let readData: typeof import('./read-data.ts').readData;
let forgetPagesPerson: () => void;
let hasSessionEnded: () => boolean;

beforeAll(async () => {
  api = createServer(async ({ url, headers }, response) => {
    asked.push({ url, authorization: headers.authorization });
    const given = refused.has(headers.authorization) ? 401 : status;
    await answers;
    response.writeHead(given, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: 'Said by the server.' }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const settings = JSON.stringify({});
  vi.stubGlobal('document', { getElementById: () => ({ textContent: settings }) });
  vi.stubGlobal('window', {
    location: {
      origin: `http://127.0.0.1:${port}`,
      replace: (path: string) => void replaced.push(path),
    },
    get localStorage() {
      return localStorage;
    },
    get sessionStorage() {
      return sessionStorage;
    },
  });
  ({ callApi } = await import('./api-client.ts'));
  ({ readData } = await import('./read-data.ts'));
  ({ hasSessionEnded } = await import('./session/session-end.ts'));
  ({ forgetPagesPerson } = await import('./session/pages-person.ts'));
  const { connectReporter } = await import('@brightpane/ui/reporting/telemetry');
  connectReporter({ send: ({ level, text }) => reports.push({ level, text }), nameAccount: () => {} });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => api.close(resolve));
});

beforeEach(() => {
  asked = [];
  answers = Promise.resolve();
  refused = new Set();
  reports = [];
  status = 200;
  replaced = [];
  forgetPagesPerson();
  localStorage = memoryStore();
  sessionStorage = memoryStore();
  localStorage.setItem('auth.token', 'access');
  localStorage.setItem('auth.refreshToken', 'refresh');
  localStorage.setItem('auth.tokenExpiration', '2999-01-01T00:00:00.000Z');
});

/** The redirect that a call threw. */
async function redirectOf(call: Promise<unknown>): Promise<string | null> {
  const thrown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return thrown instanceof Response ? thrown.headers.get('location') : null;
}

describe('a protected call', () => {
  test('carries the bearer token', async () => {
    expect(await callApi('user')).toMatchObject({ ok: true });
    expect(asked).toEqual([{ url: '/api/user', authorization: 'Bearer access' }]);
  });

  test('that is answered 401 ends the session, logs a warning and leads to /login', async () => {
    status = 401;
    expect(await redirectOf(callApi('user'))).toBe('/login');
    expect(localStorage.getItem('auth.token')).toBeNull();
    expect(localStorage.getItem('auth.refreshToken')).toBeNull();
    expect(localStorage.getItem('auth.tokenExpiration')).toBeNull();
    expect(hasSessionEnded()).toBe(true);
    expect(reports).toEqual([{ level: 'warning', text: '401 from GET /user' }]);
    expect(asked).toHaveLength(1);
  });

  test('that is answered 401 after a new session began in another tab is made in that one', async () => {
    refused.add('Bearer access');
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    const call = callApi('user');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    localStorage.setItem('auth.token', 'next');
    held.resolve();
    expect(await call).toMatchObject({ ok: true });
    expect(asked[1]?.authorization).toBe('Bearer next');
    expect(localStorage.getItem('auth.refreshToken')).toBe('refresh');
    expect(hasSessionEnded()).toBe(false);
  });

  test('without a session is not made: a warning, and /login', async () => {
    localStorage = memoryStore();
    expect(await redirectOf(callApi('invoices'))).toBe('/login');
    expect(hasSessionEnded()).toBe(false);
    expect(reports).toEqual([{ level: 'warning', text: 'No refresh token' }]);
    expect(asked).toEqual([]);
  });

  test.each([400, 404, 409, 500])(
    'that is answered %i gives the problem and keeps the session',
    async (code) => {
      status = code;
      expect(await callApi('user')).toMatchObject({
        ok: false,
        problem: { status: code, detail: 'Said by the server.' },
      });
      expect(localStorage.getItem('auth.refreshToken')).toBe('refresh');
    },
  );
});

describe('a protected call from the screen of one person, after another has signed in', () => {
  const tokenOf = (sub: string) => `e30.${btoa(JSON.stringify({ sub }))}.signature`;
  const signIn = (sub: string) => localStorage.setItem('auth.token', tokenOf(sub));

  test('is not sent: the page starts over', async () => {
    signIn('rosa');
    await callApi('user');
    signIn('ada');
    void callApi('addLocation', { body: {} });
    void callApi('invoices');
    await vi.waitFor(() => expect(replaced).toEqual(['/invoices', '/invoices']));
    expect(asked).toHaveLength(1);
  });

  test('is sent if it is the same person, signed in again', async () => {
    signIn('rosa');
    await callApi('user');
    localStorage.setItem('auth.token', `${tokenOf('rosa')}-again`);
    expect(await callApi('invoices')).toMatchObject({ ok: true });
    expect(replaced).toEqual([]);
  });

  test('is sent once this page has forgotten the first one, as signing in here does', async () => {
    signIn('rosa');
    await callApi('user');
    forgetPagesPerson();
    signIn('ada');
    expect(await callApi('user')).toMatchObject({ ok: true });
    expect(replaced).toEqual([]);
  });
});

describe('a protected call that began before its person logged out and another signed in here', () => {
  const tokenOf = (sub: string) => `e30.${btoa(JSON.stringify({ sub }))}.signature`;
  const adas = `Bearer ${tokenOf('ada')}`;

  const sent = () => vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });

  /** As logging out and signing in on this page do. */
  function signInAda() {
    forgetPagesPerson();
    localStorage.removeItem('auth.refreshToken');
    forgetPagesPerson();
    localStorage.setItem('auth.token', tokenOf('ada'));
    localStorage.setItem('auth.refreshToken', 'adas');
    localStorage.setItem('auth.tokenExpiration', '2999-01-01T00:00:00.000Z');
  }

  beforeEach(async () => {
    localStorage.setItem('auth.token', tokenOf('rosa'));
    await callApi('user');
    asked = [];
  });

  test('is not sent in the new session, which waits for no refresh of the one before', async () => {
    localStorage.setItem('auth.tokenExpiration', '2020-01-01T00:00:00.000Z');
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    const act = callApi('addPaymentMethod', { body: { maskedCard: 'rosas' } });
    await sent();
    signInAda();
    answers = Promise.resolve();
    expect(await callApi('user')).toMatchObject({ ok: true });
    held.resolve();
    expect(await act).toMatchObject({ ok: false, problem: { status: 0 } });
    expect(asked).toEqual([
      { url: '/api/authentication/refresh', authorization: undefined },
      { url: '/api/user', authorization: adas },
    ]);
    expect(localStorage.getItem('auth.refreshToken')).toBe('adas');
    expect(replaced).toEqual([]);
  });

  test('is not repeated in the new session after its 401', async () => {
    refused.add(`Bearer ${tokenOf('rosa')}`);
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    const act = callApi('addPaymentMethod', { body: { maskedCard: 'rosas' } });
    await sent();
    signInAda();
    held.resolve();
    expect(await act).toMatchObject({ ok: false, problem: { status: 0 } });
    expect(asked).toHaveLength(1);
    expect(localStorage.getItem('auth.refreshToken')).toBe('adas');
    expect(replaced).toEqual([]);
  });

  test('leads to /login if nobody has signed in yet', async () => {
    refused.add(`Bearer ${tokenOf('rosa')}`);
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    const call = redirectOf(callApi('user'));
    await sent();
    forgetPagesPerson();
    localStorage = memoryStore();
    held.resolve();
    expect(await call).toBe('/login');
  });

  test('is not sent by whoever signs in after the session had ended', async () => {
    refused.add(`Bearer ${tokenOf('rosa')}`);
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    const act = callApi('addPaymentMethod', { body: { maskedCard: 'rosas' } });
    await sent();
    answers = Promise.resolve();
    expect(await redirectOf(callApi('user'))).toBe('/login');
    // In another tab, which this page doesn't hear of.
    localStorage.setItem('auth.token', tokenOf('ada'));
    localStorage.setItem('auth.refreshToken', 'adas');
    localStorage.setItem('auth.tokenExpiration', '2999-01-01T00:00:00.000Z');
    held.resolve();
    void act;
    await vi.waitFor(() => expect(replaced).toEqual(['/invoices']));
    expect(asked).toHaveLength(2);
  });
});

describe('a public call', () => {
  test('carries no token, and its 401 leaves the session alone', async () => {
    status = 401;
    expect(await callApi('login', { body: {} })).toMatchObject({ ok: false, problem: { status: 401 } });
    expect(asked).toEqual([{ url: '/api/authentication/login', authorization: undefined }]);
    expect(localStorage.getItem('auth.refreshToken')).toBe('refresh');
    expect(reports).toEqual([]);
  });
});

test.each([
  [429, 1],
  [503, 1],
  [404, 0],
])(
  'what a page can do without is returned as refused with %i, and reported %i times',
  async (given, times) => {
    status = given;
    expect(await readData('payments')).toMatchObject({ ok: false, problem: { status: given } });
    expect(reports).toHaveLength(times);
  },
);
