import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../apps/api/test/database/postgres.ts';
import type { AttackGroup } from './attack.ts';
import { playAttack } from './play-attack.ts';

const TIMEOUT_MILLISECONDS = 60_000;
/** Some rigs start processes. */
const OPENING_MILLISECONDS = 120_000;

/** Plays one run of each of a group's attacks as a test: as much as every test run can afford. */
export function sampleAttacks<Rig>(
  group: AttackGroup<Rig>,
  {
    runOf = () => 0,
    timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  }: { runOf?: (id: string) => number; timeoutMilliseconds?: number } = {},
): void {
  let rig: Rig | undefined;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    rig = await group.open(database.url);
  }, OPENING_MILLISECONDS);

  afterAll(async () => {
    // Undefined if it failed to open.
    if (rig !== undefined) await group.close(rig);
    await drop();
  });

  test.each(namedAttacks(group))(
    '%s: %s',
    async (id, _name, attack) => {
      const { wrong } = await playAttack(group, rig as Rig, { attack, run: runOf(id) });
      expect(wrong).toEqual([]);
    },
    timeoutMilliseconds,
  );
}

/** The same at once, each attack on its own database and rig: for those that mostly wait. */
export function sampleAttacksAtOnce<Rig>(
  group: AttackGroup<Rig>,
  { timeoutMilliseconds }: { timeoutMilliseconds: number },
): void {
  test.concurrent.each(namedAttacks(group))(
    '%s: %s',
    async (_id, _name, attack) => {
      const { wrong } = await onOwnRig(group, (rig) => playAttack(group, rig, { attack, run: 0 }));
      expect(wrong).toEqual([]);
    },
    OPENING_MILLISECONDS + timeoutMilliseconds,
  );
}

async function onOwnRig<Rig, Result>(
  group: AttackGroup<Rig>,
  work: (rig: Rig) => Promise<Result>,
): Promise<Result> {
  const database = await createTestDatabase();
  try {
    const rig = await group.open(database.url);
    try {
      return await work(rig);
    } finally {
      await group.close(rig);
    }
  } finally {
    await database.drop();
  }
}

const namedAttacks = <Rig>({ attacks }: AttackGroup<Rig>) =>
  attacks.map((attack) => [attack.id, attack.name, attack] as const);
