import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CspEvaluator } from 'csp_evaluator';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listScreens } from '../../../web/screens.ts';
import { testEnv } from '../../test/build-test-app.ts';
import { problemDetails } from '../plugins/problem-details.ts';
import { securityHeaders } from '../plugins/security-headers.ts';
import { withSettings } from './built-page.ts';
import { inlineScriptHashes, pagePolicy, policyHeaders } from './content-security-policy.ts';
import { pageSettings } from './page-settings.ts';
import { isBuilt, pages } from './pages.ts';

const INLINE = '<script>start()</script>';
const SETTINGS = '<script id="settings" type="application/json">{}</script>';
const STYLESHEET = '<link rel="stylesheet" href="/assets/root-abc.css"/>';
const page = (title: string) => `<!doctype html><title>${title}</title>${STYLESHEET}${SETTINGS}${INLINE}`;

const env = testEnv({
  USAEPAY_URL: 'https://sandbox.example.com/api/v2',
  API_SECRET: 'id-with-</script>-in-it',
  SENTRY_DSN: 'https://key@errors.example.com/1',
});
let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-pages-'));
  const files = {
    'index.html': page('Home'),
    'login/index.html': page('Sign in'),
    'register/index.html': page('Sign up'),
    'guest-payment/index.html': page('Pay Invoice'),
    '__spa-fallback.html': page('Loading'),
    'assets/entry-abc.js': 'start = () => {};',
    'assets/root-abc.css': 'body { margin: 0 }',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'screens.json': JSON.stringify(listScreens()),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  app = Fastify();
  await app.register(problemDetails);
  await app.register(securityHeaders, { publicUrl: env.PUBLIC_URL });
  await app.register(pages, { env, folder });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test('an app counts as built only once its build has ended with the list of screens', () => {
  expect(isBuilt(folder)).toBe(true);
  rmSync(join(folder, 'screens.json'));
  expect(isBuilt(folder)).toBe(false);
});

describe('pages', () => {
  test.each([
    ['/', 200, 'Home'],
    ['/login', 200, 'Sign in'],
    ['/register', 200, 'Sign up'],
    ['/guest-payment?zipCode=62704', 200, 'Pay Invoice'],
    ['/guest-payment/success', 200, 'Loading'],
    ['/register/success', 200, 'Loading'],
    ['/forgot-password', 200, 'Loading'],
    ['/resetpassword?e=a&t=b', 200, 'Loading'],
    ['/confirm', 200, 'Loading'],
    ['/invitation', 200, 'Loading'],
    ['/locations/add', 200, 'Loading'],
    ['/locations/12', 200, 'Loading'],
    ['/invoices', 200, 'Loading'],
    ['/payment-methods', 200, 'Loading'],
    ['/terms', 200, 'Loading'],
    ['/payment-methods/add', 200, 'Loading'],
    ['/payment-methods/abc', 200, 'Loading'],
    ['/nothing/here', 404, 'Loading'],
    ['/screens.json', 404, 'Loading'],
    ['/.git/config', 404, 'Loading'],
    ['/..%2f..%2fetc%2fpasswd', 404, 'Loading'],
  ])('answers %s with %i and the page "%s"', async (url, status, title) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(`<title>${title}</title>`);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test.each(listScreens())('serves %s, as every route of the web app', async (path) => {
    const answer = await app.inject(path.replace(/:\w+/g, '12'));
    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ['/login/', '/login'],
    [
      '/guest-payment/?zipCode=62704&next=//evil.example/',
      '/guest-payment?zipCode=62704&next=//evil.example/',
    ],
    ['/locations/12/', '/locations/12'],
    ['/locations/%2F%2Fevil.example/', '/locations/%2F%2Fevil.example'],
  ])('redirects %s to %s', async (url, to) => {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.headers.location]).toEqual([308, to]);
  });

  test('redirects within this host, whatever a request line names', async () => {
    await app.listen({ port: 0 });
    const { port } = app.server.address() as AddressInfo;
    for (const [path, to] of [
      ['http://evil.example/login/', '/login'],
      ['/locations/../', '/'],
      ['/locations/%2E%2E/', '/'],
    ]) {
      const [answer] = (await once(get({ port, path }), 'response')) as [IncomingMessage];
      answer.resume();
      expect([answer.statusCode, answer.headers.location]).toEqual([308, to]);
    }
  });

  test.each(['//evil.example/', '/login//', '//login/', '/assets/', '/nothing/'])(
    'does not redirect %s',
    async (url) => {
      expect((await app.inject(url)).statusCode).toBe(404);
    },
  );

  test('a page carries the settings of its deployment, and nothing in them ends the block', async () => {
    const { body } = await app.inject('/');
    const block = /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(JSON.parse(block)).toEqual({
      apiSecret: 'id-with-</script>-in-it',
      defaultPublicKey: '_unused',
      payJsUrl: 'https://sandbox.example.com/js/v2/pay.js',
      sentryDsn: 'https://key@errors.example.com/1',
      termsVersion: env.TERMS.version,
    });
  });

  test('sends the terms with the page that shows them, and with no other', async () => {
    const settings = async (url: string) =>
      JSON.parse(
        /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(
          (await app.inject(url)).body,
        )?.[1] ?? '',
      );
    expect(await settings('/terms')).toMatchObject({
      terms: env.TERMS.text,
      termsVersion: env.TERMS.version,
    });
    expect(await settings('/login')).not.toHaveProperty('terms');
  });

  test('a page without a placeholder for its settings stops the start', () => {
    expect(() => withSettings('<html></html>', pageSettings(env))).toThrow('no place');
  });

  test('only our own inline script may run, and only the card provider may be framed', async () => {
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    expect(inlineScriptHashes(INLINE)).toEqual(["'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='"]);
    expect(policy).toContain(
      `script-src 'self' https://sandbox.example.com/js/v2/pay.js ${inlineScriptHashes(INLINE)[0]};`,
    );
    expect(policy).toContain('frame-src https://sandbox.example.com;');
    expect(policy).toContain("connect-src 'self' https://errors.example.com;");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*/);
  });

  /** What Google's CSP evaluator certainly objects to in a policy. */
  const judged = (policy: string) =>
    new CspEvaluator(new CspParser(policy).csp)
      .evaluate()
      .filter(({ severity }) => severity <= Severity.MEDIUM)
      .map(({ description }) => description);

  test('a judge of policies that knows the ways around them finds none', async () => {
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    expect(judged(policy)).toEqual([]);
    expect(judged(policy.replace("'self'", "'self' 'unsafe-inline' https:"))).not.toEqual([]);
  });

  test('violations of the policy are reported to us', async () => {
    const { headers } = await app.inject('/');
    expect(headers['content-security-policy']).toContain(
      'report-uri /api/browser-reports; report-to browser-reports',
    );
    expect(headers['reporting-endpoints']).toBe('browser-reports="/api/browser-reports"');
  });

  test('without TLS violations are reported the older way, which browsers then require', () => {
    const headers = policyHeaders(pagePolicy(SETTINGS, pageSettings(env)), 'http://localhost:3000');
    expect(headers['content-security-policy']).toMatch(/report-uri \/api\/browser-reports$/);
    expect(headers).not.toHaveProperty('reporting-endpoints');
  });

  test('pins a stylesheet to its content at the start', async () => {
    expect((await app.inject('/')).body).toContain(
      '<link rel="stylesheet" href="/assets/root-abc.css" integrity="sha384-LqROt08EVeMth/KLSsFLNEYyDxdxkMNHUVSlR1OFXlOstklYqxMOwTAUvGyhIq1U"/>',
    );
  });

  test('answers an unknown API address as an API, not with a page', async () => {
    const answer = await app.inject('/api/nothing');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: 404, detail: 'There is nothing at this address.' });
  });

  test('a JSON block needs no hash', () => {
    expect(pagePolicy(SETTINGS, pageSettings(env))).not.toContain('sha256');
  });

  test('files are cached for good, pages never', async () => {
    expect((await app.inject('/assets/entry-abc.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await app.inject('/')).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses a page as %s for clients that accept it', async (encoding, decompress) => {
    const answer = await app.inject({ url: '/', headers: { 'accept-encoding': encoding } });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(decompress(answer.rawPayload).toString()).toContain('<title>Home</title>');
  });

  test.each([
    ['br;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0.0', undefined],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['brotli, x-gzip', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['identity', undefined],
  ])('for %j, compresses a page as %s', async (accepted, encoding) => {
    const answer = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    if (encoding === undefined) expect(answer.body).toContain('<title>Home</title>');
  });

  test('does not send a page again that the browser has', async () => {
    const { etag } = (await app.inject('/login')).headers;
    const known = { 'if-none-match': String(etag) };
    const again = await app.inject({ url: '/login', headers: known });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect((await app.inject({ url: '/', headers: known })).statusCode).toBe(200);
  });

  test('answers a missing page with 404 each time', async () => {
    const { etag } = (await app.inject('/nothing')).headers;
    const again = await app.inject({ url: '/nothing', headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(404);
  });

  test('serves the icon under its own name, cached for a day', async () => {
    const answer = await app.inject('/favicon.svg');
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
    });
  });

  test.each(['/', '/assets/entry-abc.js', '/nothing', '/assets/missing.js'])(
    'sends the protective headers with %s',
    async (url) => {
      expect((await app.inject(url)).headers).toMatchObject({
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    },
  );
});
