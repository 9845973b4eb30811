import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEnv } from '../../../test/build-test-app.ts';
import { readTerms } from './read-terms.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-terms-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: string | Uint8Array): string {
  const file = join(folder, 'terms.txt');
  writeFileSync(file, content);
  return file;
}

test('a text has one version whatever its line ends, and another text has another', () => {
  const one = readTerms(write('## Terms\n\nPay.\n'));
  expect(one).toEqual({ text: '## Terms\n\nPay.', version: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(readTerms(write('## Terms\r\n\r\nPay.'))).toEqual(one);
  expect(readTerms(write('## Terms\n\nPay more.'))?.version).not.toBe(one?.version);
});

test('uses the built-in terms without a file', () => {
  expect(readTerms(undefined)?.text).toContain('the terms on which you pay');
});

test.each([
  ['is not there', () => join(folder, 'nothing.txt')],
  ['is empty', () => write(' \n')],
  ['is no UTF-8', () => write(Uint8Array.of(0x50, 0xff, 0xfe))],
  ['is a folder', () => folder],
  ['is a book', () => write('x'.repeat(100_001))],
])('a file that %s stops the start', (_what, file) => {
  expect(() => testEnv({ TERMS_FILE: file() })).toThrow('TERMS_FILE is no text that can be read');
});

test('a time to ask again is a time', () => {
  expect(testEnv({ TERMS_ASK_AGAIN_SINCE: '2026-12-01T00:00:00Z' }).TERMS_ASK_AGAIN_SINCE).toBe(
    '2026-12-01T00:00:00Z',
  );
  expect(() => testEnv({ TERMS_ASK_AGAIN_SINCE: 'December' })).toThrow('TERMS_ASK_AGAIN_SINCE is no time');
});
