import type { SeededRandom } from '../../../../apps/api/test/seeded-random.ts';

/** One way to hurt payments, and what holds all the same: a row of the table in `docs/money-safety.md`. */
export type Attack<Bench> = {
  /** The row's number: `F06`, `CP10 guest`. */
  id: string;
  /** A sentence about what is done, and what holds. */
  name: string;
  /** How often a full proof does it. Its variants are spread over the runs, so that these cover each. */
  runs: number;
  /** Throws what did not hold. */
  run(bench: Bench, round: Round): Promise<void>;
};

export type Round = {
  /** From 0: chooses the variant. */
  run: number;
  /** Draws what need not be the same each time; the same for the same attack, run and seed. */
  random: SeededRandom;
};

/** Attacks that share what they need, opened once a process. */
export type AttackGroup<Bench = unknown> = {
  /** What this machine would have to have first, in one line; `null` where it can be played. */
  missing?(): string | null;
  /** Only one process at a time can play it. */
  isAlone?: boolean;
  open(databaseUrl: string): Promise<Bench>;
  /** After each run, what is not as it must be, in words: the invariants, both ledgers, what each caller heard. */
  judge(bench: Bench): Promise<string[]>;
  /** What the last run measured: how long it took to resolve, for instance. */
  figures?(bench: Bench): Record<string, number>;
  close(bench: Bench): Promise<void>;
  attacks: Attack<Bench>[];
};

/** What became of a run. */
export type AttackRun = {
  id: string;
  name: string;
  run: number;
  wrong: string[];
  milliseconds: number;
  figures?: Record<string, number>;
};
