import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listGroups } from './play-attacks.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
/** Opening a group loads everything that its attacks use. */
const OPENING_MILLISECONDS = 120_000;

test(
  'a test samples every group of attacks that a proof plays, and no id names two',
  async () => {
    const groups = await listGroups();
    const tests = globSync('**/*.test.ts', { cwd: TESTS }).map((file) =>
      readFileSync(join(TESTS, file), 'utf8'),
    );
    const unsampled = groups.filter(({ name }) => !tests.some((text) => text.includes(`groups/${name}.ts'`)));
    expect(unsampled.map(({ name }) => name)).toEqual([]);
    const ids = groups.flatMap(({ attacks }) => attacks.map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  },
  OPENING_MILLISECONDS,
);
