import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkPayerScreens } from './check-payer-screens.ts';

const words = ['Download my data'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-screens-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, '__spa-fallback.html'), '<link rel="modulepreload" href="/assets/entry-1.js"/>');
  const routes = [
    { id: 'root', path: '', module: '/assets/root-1.js' },
    { id: 'landing', parentId: 'root', module: '/assets/landing-1.js' },
    { id: 'login', parentId: 'root', path: 'login', module: '/assets/login-1.js' },
    { id: 'quick-pay', parentId: 'root', path: 'guest-payment', module: '/assets/quick-pay-1.js' },
    { id: 'portal', parentId: 'root', module: '/assets/portal-1.js' },
    { id: 'invoices', parentId: 'portal', path: 'invoices', module: '/assets/invoices-1.js' },
    {
      id: 'account',
      parentId: 'portal',
      path: 'account',
      module: '/assets/account-1.js',
      css: ['/assets/account-1.css'],
    },
  ];
  const manifest = { routes: Object.fromEntries(routes.map((route) => [route.id, route])) };
  writeFileSync(
    join(folder, 'assets/manifest-1.js'),
    `window.__reactRouterManifest=${JSON.stringify(manifest)};`,
  );
  for (const { module } of routes) writeAsset(module.replace('/assets/', ''), 1_000);
  writeAsset('entry-1.js', 30_000);
  writeAsset('account-1.js', 1_000, '"Download my data";');
  writeAsset('account-1.css', 2_000);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Random text does not get smaller by half when it is gzipped: 3 bytes stay about 2.25. */
function writeAsset(name: string, bytes: number, code = ''): void {
  writeFileSync(join(folder, 'assets', name), `${code}/*${randomBytes(bytes).toString('base64')}*/`);
}

test('a screen counts with its styles and what it imports at once, and without what was there already', () => {
  writeAsset('account-1.js', 1_000, '"Download my data";import"./entry-1.js";import"./list-1.js";');
  writeAsset('list-1.js', 4_000);
  expect(checkPayerScreens(folder, { words })).toMatch(/\/account loads most of its own: 7\d{3} bytes/);
});

test('a screen over its budget fails the check', () => {
  writeAsset('account-1.css', 11_900);
  expect(() => checkPayerScreens(folder, { words })).toThrow(
    /\/account loads 1\d{4} bytes of its own \(budget 12000\)/,
  );
});

test('a first page that loads the code of a later screen fails the check', () => {
  writeAsset('login-1.js', 1_000, 'import"./account-1.js";');
  expect(() => checkPayerScreens(folder, { words })).toThrow(
    '/login loads the code that says "Download my data"',
  );
});

test('words that nothing says any more fail the check, as nothing was looked for', () => {
  expect(() => checkPayerScreens(folder, { words: ['Download everything'] })).toThrow(
    'No file says "Download everything"',
  );
});
