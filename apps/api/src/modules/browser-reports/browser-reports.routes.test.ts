import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileSerializer, compileValidator } from '../../http/schema.ts';
import { createMetrics, type Metrics } from '../../metrics/metrics.ts';
import { problemDetails } from '../../plugins/problem-details.ts';
import { browserReportsRoutes } from './browser-reports.routes.ts';

let app: FastifyInstance;
let lines: Record<string, unknown>[];
let now: Date;
let metrics: Metrics;

beforeEach(async () => {
  lines = [];
  now = new Date('2026-11-15T18:00:00Z');
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  metrics = createMetrics();
  app = Fastify();
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  await app.register(problemDetails);
  await app.register(browserReportsRoutes, { deps: { log, clock: () => now, metrics } });
});
afterEach(() => app.close());

const send = (type: string, body: unknown) =>
  app.inject({
    method: 'POST',
    url: '/browser-reports',
    headers: { 'content-type': type },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

const REPORT = {
  type: 'csp-violation',
  age: 12,
  url: 'https://pay.example.com/resetpassword?e=zoe%40example.com&t=secret#part',
  user_agent: 'Mozilla/5.0',
  body: {
    documentURL: 'https://pay.example.com/resetpassword?e=zoe%40example.com&t=secret',
    referrer: 'https://mail.example.com/zoe',
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://evil.example/collect/zoe?card=4000100011112224',
    originalPolicy: "default-src 'none'",
    sample: 'alert("zoe")',
    sourceFile: 'https://pay.example.com/assets/root-abc.js?zoe',
    disposition: 'enforce',
    statusCode: 200,
    lineNumber: 3,
  },
};

const KEPT = {
  type: 'csp-violation',
  page: '/resetpassword',
  directive: 'script-src-elem',
  blocked: 'https://evil.example',
  disposition: 'enforce',
  source: '/assets/root-abc.js',
  line: 3,
};

test('logs a violation without the person that it happened to', async () => {
  const answer = await send('application/reports+json', [REPORT]);
  expect(answer.statusCode).toBe(204);
  expect(lines).toMatchObject([{ level: 40, msg: 'a browser reports', report: KEPT }]);
  expect(JSON.stringify(lines)).not.toMatch(/zoe|secret|4000100011112224|Mozilla|alert/);
});

test('logs the older format of a violation the same way', async () => {
  const { url, body } = REPORT;
  const old = {
    'csp-report': {
      'document-uri': url,
      'violated-directive': `${body.effectiveDirective} 'self'`,
      'blocked-uri': body.blockedURL,
      disposition: body.disposition,
      'source-file': body.sourceFile,
      'line-number': body.lineNumber,
      'script-sample': body.sample,
    },
  };
  expect((await send('application/csp-report', old)).statusCode).toBe(204);
  expect(lines).toMatchObject([{ report: KEPT }]);
});

test.each([
  ['inline', 'inline'],
  ['eval', 'eval'],
  ['data:text/html,zoe', 'data:'],
  ['https://pay.example.com/assets/x.js?zoe', '/assets/x.js'],
  ['\u001b[31m zoe', 'unreadable'],
])('logs %j as %j', async (blockedURL, blocked) => {
  await send('application/reports+json', [{ ...REPORT, body: { ...REPORT.body, blockedURL } }]);
  expect(lines).toMatchObject([{ report: { blocked } }]);
});

test.each([{}, [[]], [[1, null, 'text']], [[{ type: 'csp-violation' }]], { 'csp-report': {} }])(
  'answers %j like a report, and ignores it',
  async (body) => {
    expect((await send('application/reports+json', body)).statusCode).toBe(204);
    expect(lines).toEqual([]);
  },
);

test.each([
  ['what is not JSON', 'application/csp-report', '{', 400],
  ['another type', 'text/html', '[]', 415],
  ['more than 16 KiB', 'application/reports+json', JSON.stringify(['x'.repeat(17_000)]), 413],
])('%s is refused', async (_what, type, body, status) => {
  expect((await send(type, body)).statusCode).toBe(status);
});

test('logs at most sixty reports a minute, and how many were dropped', async () => {
  for (let sent = 0; sent < 5; sent++) {
    await send(
      'application/reports+json',
      Array.from({ length: 20 }, () => REPORT),
    );
  }
  expect(lines).toHaveLength(60);
  now = new Date(now.getTime() + 60_000);
  await send('application/reports+json', [REPORT, REPORT]);
  expect(lines.slice(60)).toMatchObject([{ dropped: 40 }, { dropped: 0 }]);
  expect((await metrics.browserReports.get()).values).toMatchObject([
    { labels: { result: 'logged' }, value: 62 },
    { labels: { result: 'dropped' }, value: 40 },
  ]);
});
