import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../postgres.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { AttackGroup } from './attack.ts';

/** Each attack of a group once, or as often as said, as tests; the proof does each as often as it takes. */
export function attackSample<Bench>(
  group: AttackGroup<Bench>,
  { runs = () => [0] }: { runs?: (id: string) => number[] } = {},
): void {
  let bench: Bench;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    bench = await group.open(database.url);
  });
  afterAll(async () => {
    await group.close(bench);
    await database.drop();
  });
  for (const { id, name, run: attack } of group.attacks) {
    test.each(runs(id))(`${id}: ${name} (%i)`, async (run) => {
      await attack(bench, { run, random: seededRandom(run + 1) });
      expect(await group.judge(bench)).toEqual([]);
    });
  }
}
