import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../apps/api/test/database/postgres.ts';
import type { AttackGroup } from './attack.ts';
import { playAttack } from './play-attack.ts';

const TIMEOUT_MILLISECONDS = 60_000;
/** Some benches start processes. */
const OPENING_MILLISECONDS = 120_000;

/** Plays one run of each of a group's attacks as a test: as much as every test run can afford. */
export function sampleAttacks<Bench>(
  group: AttackGroup<Bench>,
  {
    runOf = () => 0,
    timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  }: { runOf?: (id: string) => number; timeoutMilliseconds?: number } = {},
): void {
  let bench: Bench | undefined;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    bench = await group.open(database.url);
  }, OPENING_MILLISECONDS);

  afterAll(async () => {
    // Undefined if it failed to open.
    if (bench !== undefined) await group.close(bench);
    await drop();
  });

  test.each(namedAttacks(group))(
    '%s: %s',
    async (id, _name, attack) => {
      const { wrong } = await playAttack(group, bench as Bench, { attack, run: runOf(id) });
      expect(wrong).toEqual([]);
    },
    timeoutMilliseconds,
  );
}

/** The same at once, each attack on its own database and bench: for those that mostly wait. */
export function sampleAttacksAtOnce<Bench>(
  group: AttackGroup<Bench>,
  { timeoutMilliseconds }: { timeoutMilliseconds: number },
): void {
  test.concurrent.each(namedAttacks(group))(
    '%s: %s',
    async (_id, _name, attack) => {
      const { wrong } = await onOwnBench(group, (bench) => playAttack(group, bench, { attack, run: 0 }));
      expect(wrong).toEqual([]);
    },
    OPENING_MILLISECONDS + timeoutMilliseconds,
  );
}

async function onOwnBench<Bench, Result>(
  group: AttackGroup<Bench>,
  work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const database = await createTestDatabase();
  try {
    const bench = await group.open(database.url);
    try {
      return await work(bench);
    } finally {
      await group.close(bench);
    }
  } finally {
    await database.drop();
  }
}

const namedAttacks = <Bench>({ attacks }: AttackGroup<Bench>) =>
  attacks.map((attack) => [attack.id, attack.name, attack] as const);
