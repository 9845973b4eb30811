import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tools/root.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(['crashes', 'races'])('the document says what the record of refund-%s counts', (group) => {
  const record = `records/refund-${group}-figures.md`;
  const [, attacks] = /^(\d+) attacks, 0 failed/m.exec(read(`docs/${record}`)) ?? [];
  expect(read('docs/money-safety.md')).toContain(`(${record}) (${attacks} attacks)`);
});
