import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CspEvaluator } from 'csp_evaluator';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOfficeScreens } from '../../../office/screens.ts';
import { testEnv } from '../../test/build-test-app.ts';
import { problemDetails } from '../plugins/problem-details.ts';
import { securityHeaders } from '../plugins/security-headers.ts';
import { inlineScriptHashes } from './content-security-policy.ts';
import { officePages } from './office-pages.ts';
import { pages } from './pages.ts';

const INLINE = '<script>start()</script>';
const SETTINGS = '<script id="settings" type="application/json">{}</script>';
const page = (title: string, style = '') =>
  `<!doctype html><title>${title}</title>${style}${SETTINGS}${INLINE}`;
const STYLESHEET = '<link rel="stylesheet" href="/office/assets/root-abc.css"/>';

let folder: string;
let app: FastifyInstance;

async function serve(
  settings: Record<string, string> = {},
  options: { trustProxy?: boolean } = {},
): Promise<FastifyInstance> {
  const env = testEnv({ SENTRY_DSN: 'https://key@errors.example.com/1', ...settings });
  const served = Fastify(options);
  await served.register(problemDetails);
  await served.register(securityHeaders, { publicUrl: env.PUBLIC_URL });
  await served.register(pages, { env, folder: join(folder, 'web') });
  await served.register(officePages, { env, folder: join(folder, 'office') });
  return served;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-office-pages-'));
  const files = {
    'web/__spa-fallback.html': page('Payer'),
    'web/screens.json': '[]',
    'web/assets/entry-abc.js': '',
    'office/index.html': page('Office', STYLESHEET),
    'office/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'office/screens.json': JSON.stringify(listOfficeScreens()),
    'office/assets/entry-abc.js': 'start = () => {};',
    'office/assets/root-abc.css': 'body { margin: 0 }',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  app = await serve();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('the console', () => {
  test.each(listOfficeScreens().filter((path) => path !== '/office'))('%s is served', async (path) => {
    const answer = await app.inject(path.replace(/:\w+/g, '12'));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('<title>Office</title>');
  });

  test.each(['/office', '/office?next=x'])('redirects %s to /office/', async (url) => {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.headers.location]).toEqual([308, '/office/']);
  });

  test('redirects a screen with a slash at its end, with its query', async () => {
    const answer = await app.inject('/office/invoices/?status=open');
    expect([answer.statusCode, answer.headers.location]).toEqual([308, '/office/invoices?status=open']);
  });

  test.each([
    '/office/nothing',
    '/office/screens.json',
    '/office/index.html',
    '/office/sign-in/more',
    '/office/..%2fweb',
  ])('answers %s with 404 and the same page', async (url) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('<title>Office</title>');
  });

  test('is served only below /office/', async () => {
    for (const url of ['/officer', '/sign-in', '/payments']) {
      expect((await app.inject(url)).body).toContain('<title>Payer</title>');
    }
  });

  test('contains its own address and the reporter’s, and no secret', async () => {
    const { body } = await app.inject('/office/');
    const block = /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(JSON.parse(block)).toEqual({
      officeUrl: 'https://pay.example.com',
      sentryDsn: 'https://key@errors.example.com/1',
      isDemo: false,
    });
  });

  test('runs only our own scripts, and allows nothing of the card provider', async () => {
    const { headers } = await app.inject('/office/sign-in');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ').filter((each) => !each.startsWith('report-'))).toEqual([
      "default-src 'none'",
      `script-src 'self' ${inlineScriptHashes(INLINE)[0]}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self' https://errors.example.com",
      "frame-src 'none'",
      "worker-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    const faults = new CspEvaluator(new CspParser(policy).csp)
      .evaluate()
      .filter(({ severity }) => severity <= Severity.MEDIUM);
    expect(faults).toEqual([]);
  });

  test.each(['/office/', '/office/sign-in', '/office/nothing'])(
    'serves %s uncached, and hidden from search engines',
    async (url) => {
      expect((await app.inject(url)).headers).toMatchObject({
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  test('caches its files permanently, and pins its stylesheet', async () => {
    expect((await app.inject('/office/assets/entry-abc.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await app.inject('/office/')).body).toContain(
      '<link rel="stylesheet" href="/office/assets/root-abc.css" integrity="sha384-',
    );
    expect((await app.inject('/office/assets/missing.js')).statusCode).toBe(404);
    expect((await app.inject('/office/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
  });
});

describe('an origin of its own', () => {
  let own: FastifyInstance;
  beforeAll(async () => {
    own = await serve({ OFFICE_URL: 'https://office.example.com' });
  });
  afterAll(() => own.close());

  test.each([
    '/office',
    '/office/',
    '/office/sign-in?next=%2Foffice%2Fpayments',
    '/office/assets/entry-abc.js',
    '/%6Fffice/payments',
  ])('is where %s of any other redirects', async (url) => {
    const answer = await own.inject({ url, headers: { host: 'pay.example.com' } });
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toBe(`https://office.example.com${url}`);
  });

  test('is nothing that a client can name in X-Forwarded-Host', async () => {
    const behindProxy = await serve({ OFFICE_URL: 'https://office.example.com' }, { trustProxy: true });
    const headers = { host: 'pay.example.com', 'x-forwarded-host': 'office.example.com' };
    expect((await behindProxy.inject({ url: '/office/sign-in', headers })).statusCode).toBe(308);
    await behindProxy.close();
  });

  test('serves the console itself', async () => {
    const answer = await own.inject({ url: '/office/sign-in', headers: { host: 'office.example.com' } });
    expect(answer.statusCode).toBe(200);
  });

  test.each(['/', '/guest-payment?franchise=1', '/nothing', '//evil.example.com', '/officer'])(
    'shows no page of payers: %s redirects to their origin',
    async (url) => {
      const answer = await own.inject({ url, headers: { host: 'office.example.com' } });
      expect(answer.statusCode).toBe(308);
      expect(answer.headers.location).toBe(`${new URL(testEnv().PUBLIC_URL).origin}${url}`);
    },
  );

  test('does not affect payers', async () => {
    const answer = await own.inject({ url: '/office-hours', headers: { host: 'pay.example.com' } });
    expect(answer.body).toContain('<title>Payer</title>');
  });
});
