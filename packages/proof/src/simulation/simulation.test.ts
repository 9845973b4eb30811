import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../apps/api/test/database/postgres.ts';
import { PLANTED_BUGS } from './bugs/planted-bugs.ts';
import { playSeeds } from './play-seeds.ts';
import type { Counts } from './simulate.ts';

const SOURCE = fileURLToPath(new URL('../../../../apps/api/src', import.meta.url));
const TIMEOUT_MILLISECONDS = 600_000;
/** Enough to meet every kind of trouble several times; the proof plays a hundred times as many. */
const SEEDS = 20;
const PROCESSES = 2;
/** Well above the first seed that notices each bug on a quiet machine. */
const MOST_SEEDS_FOR_A_BUG = 150;

const databases: TestDatabase[] = [];

async function databaseUrl(): Promise<string> {
  const database = await createTestDatabase();
  databases.push(database);
  return database.url;
}

afterAll(async () => {
  for (const database of databases) await database.drop();
});

test(
  `${SEEDS} seeds of payers, crashes and troubles end with one capture for each payment that was accepted`,
  async () => {
    const count = SEEDS / PROCESSES;
    const played = await Promise.all(
      Array.from({ length: PROCESSES }, async (_, index) =>
        playSeeds({ databaseUrl: await databaseUrl(), from: 1 + index * count, count }),
      ),
    );
    const seeds = played.flat();
    expect(seeds.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(seeds.length).toBe(SEEDS);
    const seedsWith = (what: keyof Counts) => seeds.filter(({ counts }) => counts[what] > 0).length;
    // Simulations in which nobody meets and nothing goes wrong would prove nothing.
    expect(seedsWith('waits')).toBeGreaterThan(SEEDS / 2);
    expect(seedsWith('accepted')).toBeGreaterThan(SEEDS / 3);
    expect(seedsWith('crashes')).toBeGreaterThan(SEEDS / 5);
    expect(seedsWith('databaseTroubles')).toBeGreaterThan(SEEDS / 5);
    expect(seedsWith('providerTroubles')).toBeGreaterThan(SEEDS / 7);
  },
  TIMEOUT_MILLISECONDS,
);

test.each(PLANTED_BUGS)('what the planted bug changes is there: $name', ({ edits }) => {
  for (const { file, find } of edits) {
    expect(readFileSync(join(SOURCE, file), 'utf8').split(find), file).toHaveLength(2);
  }
});

describe('a bug that is planted in the engine is noticed', () => {
  test.each(PLANTED_BUGS.flatMap(({ name, seed }) => (seed === undefined ? [] : [{ name, seed }])))(
    '$name',
    async ({ name, seed }) => {
      const seeds = await playSeeds({
        databaseUrl: await databaseUrl(),
        from: seed,
        count: MOST_SEEDS_FOR_A_BUG,
        bug: name,
      });
      expect(seeds.at(-1)?.wrong).not.toEqual([]);
    },
    TIMEOUT_MILLISECONDS,
  );
});
