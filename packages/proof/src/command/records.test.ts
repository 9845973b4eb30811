import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tools/root.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(['crashes', 'races', 'faults'])(
  'the document says what the record of refund-%s counts',
  (group) => {
    const record = `records/refund-${group}-figures.md`;
    const [, attacks] = /^(\d+) attacks, 0 failed/m.exec(read(`docs/${record}`)) ?? [];
    expect(read('docs/money-safety.md')).toContain(`(${record}) (${attacks} attacks)`);
  },
);

test('the document says how many seeds with clerks were played, and in how many a refund was interrupted', () => {
  const record = 'records/money-safety-figures.md';
  const found = read(`docs/${record}`);
  const [, seeds] = /^(\d+) seeds, 0 failed/m.exec(found) ?? [];
  const [, refunded] = /in (\d+) % of the seeds;$/m.exec(found) ?? [];
  const [, killed] = /^in (\d+) % a process was killed while one was on its way/m.exec(found) ?? [];
  expect(read('docs/money-safety.md')).toContain(
    `[${Number(seeds).toLocaleString('en-US')} seeds](${record}), in ${refunded} % of which a refund was made, and in ${killed} %`,
  );
});
