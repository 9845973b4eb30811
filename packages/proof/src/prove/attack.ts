import type { SeededRandom } from '../../../../apps/api/test/seeded-random.ts';

/** One way to break payments, and what must hold anyway: a row of the table in `docs/money-safety.md`. */
export type Attack<Rig> = {
  /** The row's number: `F06`, `CP10 guest`. */
  id: string;
  /** What is done, and what holds. */
  name: string;
  /** How often a full proof runs it. The runs cycle through its variants, so there are at least that many. */
  runs: number;
  /** Throws if something didn't hold. */
  run(rig: Rig, round: Round): Promise<void>;
};

export type Round = {
  /** Counts from 0 and selects the variant. */
  run: number;
  /** For everything that may vary; the same attack, run and seed always draw the same. */
  random: SeededRandom;
};

/** Attacks with a common rig, opened once per process. */
export type AttackGroup<Rig = unknown> = {
  /** What has to be installed first, in one line; `null` if the group can be played. */
  missing?(): string | null;
  /** Only one process at a time can play it. */
  isAlone?: boolean;
  open(databaseUrl: string): Promise<Rig>;
  /** Returns a run's violations in words: of the invariants, of both ledgers, of what callers were told. */
  judge(rig: Rig): Promise<string[]>;
  /** Measurements of the last run, such as how long it took to resolve. */
  figures?(rig: Rig): Record<string, number>;
  close(rig: Rig): Promise<void>;
  attacks: Attack<Rig>[];
};

/** A run's outcome. */
export type AttackRun = {
  id: string;
  name: string;
  run: number;
  wrong: string[];
  milliseconds: number;
  figures?: Record<string, number>;
};

/** Makes a group's attacks: each of their runs begins with `begin`. */
export const attacksOf =
  <Rig>(begin: (rig: Rig) => Promise<unknown>) =>
  (id: string, name: string, runs: number, run: Attack<Rig>['run']): Attack<Rig> => ({
    id,
    name,
    runs,
    async run(rig, round) {
      await begin(rig);
      await run(rig, round);
    },
  });
