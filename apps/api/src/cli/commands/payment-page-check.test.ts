import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliFailure } from '../cli-failure.ts';
import { createOfficeClient } from '../office-client.ts';
import { paymentPageCheck } from './payment-page-check.ts';

type File = { body: string; headers?: Record<string, string> };
type Site = { url: string; files: Map<string, File>; server: Server };

const PAGES = ['/guest-payment', '/payment-methods/add'];

let folder: string;
let portal: Site;
let provider: Site;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brightpane-payment-page-'));
  portal = await serve();
  provider = await serve();
  provider.files.set('/js/v2/pay.js', { body: 'window.usaepay = {};' });
  portal.files.set('/assets/entry-1.js', {
    body: 'import{a}from"./shared-1.js";const later=()=>import("./later-1.js");const d=["assets/late-1.css"];',
  });
  portal.files.set('/assets/shared-1.js', { body: 'export const a=1;' });
  portal.files.set('/assets/later-1.js', { body: 'export const b=2;' });
  portal.files.set('/assets/root-1.css', { body: 'body{margin:0}' });
  portal.files.set('/assets/late-1.css', { body: 'p{margin:0}' });
  publish();
});
afterEach(async () => {
  for (const { server } of [portal, provider]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(folder, { recursive: true });
});

/** A site that serves only these files. */
async function serve(): Promise<Site> {
  const files = new Map<string, File>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404, file?.headers).end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files, server };
}

const sri = (path: string) => {
  const { body } = portal.files.get(path) as File;
  return `sha384-${createHash('sha384').update(body).digest('base64')}`;
};

/** Publishes both payment pages as the portal writes them, pinning the current files. */
function publish({ settings = { payJsUrl: `${provider.url}/js/v2/pay.js` }, headers = {} } = {}): void {
  const assets = [...portal.files.keys()].filter((path) => /^\/assets\/.*\.js$/.test(path));
  const integrity = Object.fromEntries(assets.map((path) => [path, sri(path)]));
  const body = `<!doctype html><title>Pay Invoice</title>
    <link rel="modulepreload" href="/assets/entry-1.js" integrity="${integrity['/assets/entry-1.js']}"/>
    <link rel="stylesheet" href="/assets/root-1.css" integrity="${sri('/assets/root-1.css')}"/>
    <p>Pay</p>
    <script id="settings" type="application/json">${JSON.stringify(settings)}</script>
    <script type="importmap">{"integrity":${JSON.stringify(integrity)}}</script>
    <script type="module">import "/assets/entry-1.js";</script>`;
  const security = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' };
  for (const page of PAGES) {
    portal.files.set(page, { body, headers: { ...security, ...headers } });
  }
}

function edit(path: string, change: (body: string) => string): void {
  const file = portal.files.get(path) as File;
  portal.files.set(path, { ...file, body: change(file.body) });
}

/** Runs the command; a failure's message and lines follow the printed output. */
async function check(...parameters: string[]): Promise<{ ok: boolean; lines: string[] }> {
  const lines: string[] = [];
  const client = createOfficeClient({ PUBLIC_URL: portal.url });
  const baseline = ['--baseline', join(folder, 'approved.json')];
  try {
    await paymentPageCheck(client, [...baseline, ...parameters], (line) => lines.push(line));
    return { ok: true, lines };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { ok: false, lines: [...lines, error.message, ...error.lines] };
  }
}

test('fails before anything has been approved', async () => {
  const { ok, lines } = await check();
  expect(ok).toBe(false);
  expect(lines[0]).toContain('Nothing has been approved yet');
});

test('passes while everything stays as approved', async () => {
  expect((await check('--approve')).ok).toBe(true);
  expect(await check()).toMatchObject({ ok: true, lines: [expect.stringContaining('Unchanged since')] });
});

test('checks everything that a page leads to', async () => {
  await check('--approve');
  const { findings } = JSON.parse(await readFile(join(folder, 'approved.json'), 'utf8')) as {
    findings: { page: string; kind: string; name: string }[];
  };
  const names = findings
    .filter(({ page }) => page === '/guest-payment')
    .map(({ kind, name }) => `${kind} ${name}`);
  expect(names.sort()).toEqual(
    [
      'address answered by',
      'document html',
      `frame ${provider.url}/js/v2/card.html`,
      'header content-security-policy',
      'header x-content-type-options',
      'inline-script 1: {"integrity":{"/assets/e',
      'inline-script 2: import "/assets/entry-1.',
      `script ${portal.url}/assets/entry-1.js`,
      `script ${portal.url}/assets/later-1.js`,
      `script ${portal.url}/assets/shared-1.js`,
      `script ${provider.url}/js/v2/pay.js`,
      `style ${portal.url}/assets/late-1.css`,
      `style ${portal.url}/assets/root-1.css`,
    ].sort(),
  );
});

const body = '<p>Pay</p>';
test.each<[string, () => void, string]>([
  [
    'a script that is added',
    () =>
      edit('/guest-payment', (html) => html.replace(body, `${body}<script src="/assets/new-1.js"></script>`)),
    'new      /guest-payment  script',
  ],
  [
    'an inline script that is added',
    () => edit('/guest-payment', (html) => html.replace(body, `${body}<script>steal()</script>`)),
    'new      /guest-payment  inline-script',
  ],
  [
    'a script of another site',
    () =>
      edit('/payment-methods/add', (html) =>
        html.replace(body, '<script src="http://127.0.0.1:1/x.js"></script>'),
      ),
    'http://127.0.0.1:1/x.js does not answer',
  ],
  [
    'one byte of the provider’s script',
    () => provider.files.set('/js/v2/pay.js', { body: 'window.usaepay = {} ' }),
    'changed  /guest-payment  script',
  ],
  [
    'one byte of a script of ours that is loaded later',
    () => edit('/assets/later-1.js', (script) => script.replace('2', '3')),
    'it is not what the page pins',
  ],
  [
    'one byte of a script, and the pin with it',
    () => {
      edit('/assets/later-1.js', (script) => script.replace('2', '3'));
      publish();
    },
    'changed  /guest-payment  script',
  ],
  [
    'a script that an approved one now imports',
    () => {
      portal.files.set('/assets/more-1.js', { body: 'export const c=3;' });
      edit('/assets/shared-1.js', (script) => `import"./more-1.js";${script}`);
      publish();
    },
    'new      /guest-payment  script',
  ],
  [
    'a content policy that is gone',
    () => {
      for (const page of PAGES) delete portal.files.get(page)?.headers?.['content-security-policy'];
    },
    'gone     /guest-payment  header  content-security-policy',
  ],
  [
    'a weaker content policy',
    () => publish({ headers: { 'content-security-policy': 'default-src *' } }),
    'changed  /guest-payment  header  content-security-policy',
  ],
  [
    'a header that was not there',
    () => publish({ headers: { refresh: '5; url=https://evil.example' } }),
    'new      /guest-payment  header  refresh',
  ],
  [
    'another frame',
    () => {
      portal.files.set('/js/v2/pay.js', { body: 'window.usaepay = {};' });
      publish({ settings: { payJsUrl: `${portal.url}/js/v2/pay.js` } });
    },
    'gone     /guest-payment  frame',
  ],
  [
    'a frame beside the provider’s',
    () =>
      edit('/guest-payment', (html) =>
        html.replace(body, '<iframe src="https://evil.example/card"></iframe>'),
      ),
    'no line in the inventory: frame',
  ],
  [
    'a form that goes elsewhere',
    () => edit('/guest-payment', (html) => html.replace(body, '<form action="https://evil.example">')),
    'changed  /guest-payment  document',
  ],
  [
    'a base address',
    () => edit('/guest-payment', (html) => html.replace(body, '<base href="https://evil.example/">')),
    'markup  <base>',
  ],
  [
    'settings that cannot be read',
    () => edit('/guest-payment', (html) => html.replace('"payJsUrl"', 'payJsUrl')),
    'markup  JSON that cannot be read',
  ],
  [
    'settings without the provider’s script',
    () => edit('/guest-payment', (html) => html.replace('payJsUrl', 'other')),
    'markup  settings without',
  ],
  [
    'a handler in an attribute',
    () => edit('/guest-payment', (html) => html.replace(body, '<p onclick="steal()">Pay</p>')),
    'markup  onclick=',
  ],
])('%s is found', async (_what, change, line) => {
  expect((await check('--approve')).ok).toBe(true);
  change();
  const { ok, lines } = await check();
  expect(ok).toBe(false);
  expect(lines.join('\n')).toContain(line);
});

test('passes after somebody approves a change', async () => {
  await check('--approve');
  publish({ headers: { 'x-frame-options': 'DENY' } });
  expect((await check()).ok).toBe(false);
  expect((await check('--approve')).ok).toBe(true);
  expect((await check()).ok).toBe(true);
});

test('refuses to approve a part without a line in the inventory', async () => {
  edit('/guest-payment', (html) => html.replace(body, '<iframe src="https://ads.example/frame"></iframe>'));
  const { ok, lines } = await check('--approve');
  expect(ok).toBe(false);
  expect(lines.join('\n')).toContain('no line in the inventory: frame https://ads.example/frame');
});

test('records every run', async () => {
  await check();
  await check('--approve');
  publish({ headers: { refresh: '5' } });
  await check();
  const history = (await readFile(join(folder, 'approved.json.history.jsonl'), 'utf8')).trim().split('\n');
  expect(history.map((line) => JSON.parse(line))).toMatchObject([
    { approved: false },
    { approved: true },
    { approved: false, changes: [expect.stringContaining('header  refresh'), expect.any(String)] },
  ]);
});

test('fails with a sentence if the list cannot be written or read, and says what it has found', async () => {
  edit('/guest-payment', (html) => html.replace(body, '<iframe src="https://ads.example/frame"></iframe>'));
  const file = join(folder, 'missing', 'approved.json');
  const unwritten = await check('--baseline', file, '--approve');
  expect(unwritten.lines[0]).toContain(
    `The list ${file} cannot be written: ENOENT: no such file or directory`,
  );
  expect(unwritten.lines.join('\n')).toContain('no line in the inventory: frame https://ads.example/frame');
  expect((await check('--baseline', folder)).lines).toEqual([
    `The list ${folder} cannot be read: EISDIR: illegal operation on a directory, read`,
  ]);
});

test('fails if the portal does not answer', async () => {
  const { ok, lines } = await check('--url', 'http://127.0.0.1:1');
  expect(ok).toBe(false);
  expect(lines.join()).toContain('does not answer');
});
