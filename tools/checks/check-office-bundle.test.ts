import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOfficeBundle } from './check-office-bundle.ts';

const ENTRIES = ['/sign-in', '/payments'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<link rel="modulepreload" href="/office/assets/entry-1.js"/>');
  const routes = [
    { id: 'root', path: '', module: '/office/assets/root-1.js', css: ['/office/assets/root-1.css'] },
    { id: 'sign-in', parentId: 'root', path: 'sign-in', module: '/office/assets/sign-in-1.js' },
    { id: 'frame', parentId: 'root', module: '/office/assets/frame-1.js' },
    { id: 'payments', parentId: 'frame', path: 'payments', module: '/office/assets/payments-1.js' },
    { id: 'audit', parentId: 'frame', path: 'audit', module: '/office/assets/audit-1.js' },
  ];
  const manifest = { routes: Object.fromEntries(routes.map((route) => [route.id, route])) };
  writeFileSync(
    join(folder, 'assets/manifest-1.js'),
    `window.__reactRouterManifest=${JSON.stringify(manifest)};`,
  );
  for (const name of ['entry', 'root', 'sign-in', 'frame', 'payments', 'audit'])
    writeAsset(`${name}-1.js`, 1_000);
  writeAsset('root-1.css', 1_000);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Random base64 barely compresses: 3 bytes stay about 2.25 when gzipped. */
function writeAsset(name: string, bytes: number, code = ''): void {
  writeFileSync(join(folder, 'assets', name), `${code}/*${randomBytes(bytes).toString('base64')}*/`);
}

test('a screen counts with the frame around it and what it imports at once', () => {
  writeAsset('audit-1.js', 1_000, 'import"./table-1.js";import("./later-1.js");');
  writeAsset('table-1.js', 5_000);
  writeAsset('later-1.js', 90_000);
  expect(checkOfficeBundle(folder, ENTRIES)).toMatch(/\/office\/audit adds most: 6\d{3} bytes/);
});

test.each([
  ['a first load', 'frame-1.js', 150_000, /\/office\/payments loads 15\d{4} bytes of JS \(budget 140000\)/],
  ['a style', 'root-1.css', 26_000, /2\d{4} of CSS \(budget 25000\)/],
  [
    'a further screen',
    'audit-1.js',
    16_000,
    /\/office\/audit loads 16\d{3} more bytes of JS \(budget 15000\)/,
  ],
])('%s over its budget fails the check', (_what, name, bytes, sentence) => {
  writeAsset(name, bytes);
  expect(() => checkOfficeBundle(folder, ENTRIES)).toThrow(sentence);
});
