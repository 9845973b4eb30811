import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBundle, measureEntryPage } from './check-bundle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-bundle-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<link rel="modulepreload" href="/assets/entry-1.js"/><link rel="stylesheet" href="/assets/root-1.css"/>',
  );
  writeAsset('root-1.css', 1_000);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Random base64 barely compresses: 3 bytes stay about 2.25 when gzipped. */
function writeAsset(name: string, bytes: number, code = ''): void {
  writeFileSync(join(folder, 'assets', name), `${code}/*${randomBytes(bytes).toString('base64')}*/`);
}

test('what a script imports at once counts, what it imports later does not', () => {
  writeAsset('entry-1.js', 10_000, 'import{a}from"./shared-1.js";import("./later-1.js");');
  writeAsset('shared-1.js', 20_000, 'import"./entry-1.js";');
  writeAsset('later-1.js', 500_000);
  const { jsBytes, cssBytes } = measureEntryPage(folder);
  expect(jsBytes).toBeGreaterThan(30_000);
  expect(jsBytes).toBeLessThan(32_000);
  expect(cssBytes).toBeGreaterThan(1_000);
  expect(cssBytes).toBeLessThan(1_200);
});

test('a script counts whatever its name', () => {
  writeAsset('entry-1.js', 10_000, 'import"./form~list-1.js";');
  writeAsset('form~list-1.js', 20_000);
  expect(measureEntryPage(folder).jsBytes).toBeGreaterThan(30_000);
});

const ANY_SIZE = { jsBytes: 200_000, cssBytes: 200_000 };

test.each([
  ['scripts over their budget', 126_000, 1_000],
  ['styles over theirs', 1_000, 21_000],
])('%s fail the check', (_what, js, css) => {
  writeAsset('entry-1.js', js);
  writeAsset('root-1.css', css);
  expect(() => checkBundle(folder, ANY_SIZE)).toThrow('budget 125000');
});

test('a page within its budget that has grown fails the check', () => {
  writeAsset('entry-1.js', 10_000);
  expect(checkBundle(folder, ANY_SIZE)).toContain('The entry page loads');
  expect(() => checkBundle(folder, { jsBytes: 1_000, cssBytes: 2_000 })).toThrow('measured last');
});

test('a file that names an address of the office fails the check, also one that comes later', () => {
  writeAsset('entry-1.js', 10_000, 'import("./later-1.js");');
  writeAsset('later-1.js', 10, 'fetch("/api/office/payments");');
  expect(() => checkBundle(folder, ANY_SIZE)).toThrow('knows of the office: assets/later-1.js');
});

test('a page that names no script fails the check, as nothing was measured', () => {
  writeFileSync(join(folder, 'index.html'), '<p>empty</p>');
  expect(() => checkBundle(folder)).toThrow('Nothing was found to measure');
});
