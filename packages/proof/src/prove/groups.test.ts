import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listGroups } from './play-attacks.ts';

const FOLDERS = fileURLToPath(new URL('.', import.meta.url));
/** Opening a group loads everything that its attacks use. */
const OPENING_MILLISECONDS = 120_000;

test(
  'each group’s own tests sample the attacks that a proof plays, and no id names two',
  async () => {
    const groups = await listGroups();
    const isSampled = ({ name }: { name: string }) =>
      globSync('*.test.ts', { cwd: join(FOLDERS, name) }).some((file) =>
        readFileSync(join(FOLDERS, name, file), 'utf8').includes("from './group.ts'"),
      );
    expect(groups.length).toBeGreaterThan(10);
    expect(groups.filter((group) => !isSampled(group)).map(({ name }) => name)).toEqual([]);
    const ids = groups.flatMap(({ attacks }) => attacks.map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  },
  OPENING_MILLISECONDS,
);
