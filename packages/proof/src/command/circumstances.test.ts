import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeCircumstances, readCommit } from './circumstances.ts';

let folder: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  }).trim();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brightpane-commit-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a proof knows its commit, and whether anything differs from it', () => {
  expect(readCommit(folder), 'without git').toBeNull();
  git('init', '-q');
  expect(readCommit(folder), 'without a commit').toBeNull();
  writeFileSync(join(folder, 'file'), 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  const hash = git('rev-parse', 'HEAD');
  expect(readCommit(folder)).toEqual({ hash, isClean: true });
  mkdirSync(join(folder, 'below'));
  expect(readCommit(join(folder, 'below')), 'inside of another checkout').toBeNull();
  writeFileSync(join(folder, 'new'), 'two');
  expect(readCommit(folder)).toEqual({ hash, isClean: false });
});

test.each([
  [{ hash: 'abc', isClean: true }, 'commit: abc, with nothing changed'],
  [{ hash: 'abc', isClean: false }, 'commit: abc, with changes that are in no commit'],
  [null, 'commit: unknown, as there is no git here'],
])('says of the commit %j: %s', (commit, line) => {
  const begin = new Date('2026-11-22T10:00:00Z');
  const circumstances = { command: 'npm run prove', commit, cores: 2, processes: 2, node: '24', begin };
  expect(describeCircumstances(circumstances)).toContain(line);
});
