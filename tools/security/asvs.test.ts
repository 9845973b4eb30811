import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

type Row = {
  id: string;
  level: number;
  asks: string;
  status: string;
  evidence?: { file: string; test?: string }[];
  reason?: string;
};

const rows = JSON.parse(readFileSync(join(root, 'docs/records/asvs.json'), 'utf8')) as Row[];
/** SHA-256 of the lines `1.1.1 L2` and so on, which ASVS 5.0.0's own table gives for levels 1 and 2. */
const STANDARD = 'd34292c73d431926e287f0435afaad367d851b2b9b6f18ee57aa52a46ca1f42c';

/** What is wrong with a row, in words. */
function judge({ asks, status, evidence = [], reason = '' }: Row): string[] {
  const faults = asks.trim() === '' ? ['does not say what is asked'] : [];
  if (status !== 'applies') {
    if (status !== 'not-applicable' && status !== 'gap') faults.push(`has the status ${status}`);
    if (reason.trim().length < 10) faults.push('gives no reason');
    return faults;
  }
  if (evidence.length === 0) faults.push('has no evidence');
  for (const { file, test: name } of evidence) {
    const path = join(root, file);
    if (!existsSync(path)) faults.push(`names ${file}, which there is not`);
    else if (name !== undefined && !readFileSync(path, 'utf8').includes(name)) {
      faults.push(`names a test that is not in ${file}: ${name}`);
    }
  }
  return faults;
}

test('every requirement of levels 1 and 2 is answered, by a test that there is or with a reason', () => {
  const faults = rows.flatMap((row) => judge(row).map((fault) => `${row.id} ${fault}`));
  expect(faults).toEqual([]);
  expect(rows).toHaveLength(253);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253);
});

test.each<[string, Partial<Row>]>([
  ['nothing asked', { asks: ' ' }],
  ['another status', { status: 'later', reason: 'nobody has decided' }],
  ['no evidence', { evidence: [] }],
  ['a file that there is not', { evidence: [{ file: 'docs/nothing.md' }] }],
  ['a test that there is not', { evidence: [{ file: 'tools/root.ts', test: 'no such test' }] }],
  ['a gap without a reason', { status: 'gap' }],
])('a row with %s is noticed', (_what, spoiled) => {
  const good: Row = {
    id: '0.0.0',
    level: 1,
    asks: 'x',
    status: 'applies',
    evidence: [{ file: 'README.md' }],
  };
  expect(judge(good)).toEqual([]);
  expect(judge({ ...good, ...spoiled })).toHaveLength(1);
});

test('the README says how many are met, not applicable, and gaps', () => {
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const figures = `${count('applies')} met and tested or documented, ${count('not-applicable')} not applicable, ${count('gap')} gaps`;
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(figures);
});

test('the README says what the last whole proof played', () => {
  const record = readFileSync(join(root, 'docs/records/money-safety-figures.md'), 'utf8');
  const [, seeds] = /^(\d+) seeds, 0 failed/m.exec(record) ?? [];
  const [, attacks] = /^(\d+) attacks, 0 failed/m.exec(record) ?? [];
  const inWords = (count: string | undefined) => Number(count).toLocaleString('en-US');
  const figures = `${inWords(seeds)} random runs and ${inWords(attacks)} attacks on payments`;
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(figures);
});

test('the numbers and levels are those of the standard', () => {
  const lines = rows.map(({ id, level }) => `${id} L${level}\n`);
  expect(createHash('sha256').update(lines.join('')).digest('hex')).toBe(STANDARD);
});
