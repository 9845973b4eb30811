import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJsonLines } from '../../../../apps/api/test/crashes/json-lines-process.ts';
import type { AttackGroup, AttackRun } from './attack.ts';

const RUN = fileURLToPath(new URL('./run-attacks.ts', import.meta.url));
const GROUPS = fileURLToPath(new URL('.', import.meta.url));

export type KnownGroup = {
  name: string;
  missing: string | null;
  isAlone: boolean;
  attacks: Pick<AttackGroup['attacks'][number], 'id' | 'runs'>[];
};

/** Every group of attacks, named by its folder. */
export function listGroups(): Promise<KnownGroup[]> {
  const names = globSync('*/group.ts', { cwd: GROUPS }).map(dirname);
  return Promise.all(
    names.sort().map(async (name) => {
      const { default: group } = (await import(join(GROUPS, name, 'group.ts'))) as { default: AttackGroup };
      const { isAlone = false } = group;
      const missing = group.missing?.() ?? null;
      return { name, missing, isAlone, attacks: group.attacks.map(({ id, runs }) => ({ id, runs })) };
    }),
  );
}

/** Plays a group's attacks in a separate process. */
export function playAttacks(options: {
  databaseUrl: string;
  group: string;
  /** Which of how many processes: `0/2`. */
  shard: string;
  seed: number;
  /** Attacks whose id begins with `only`, or the single one with the id `attack`. */
  meant: { only: string } | { attack: string };
  /** Only this run of each. */
  run?: number | undefined;
  /** The name of a planted bug. */
  bug?: string | undefined;
  onRun: (run: AttackRun) => void;
  signal?: AbortSignal;
}): Promise<void> {
  const { databaseUrl, group, shard, seed, meant, run, bug, onRun, signal } = options;
  return readJsonLines<AttackRun>(
    [
      RUN,
      group,
      ...['--shard', shard, '--seed', String(seed)],
      ...Object.entries(meant).flatMap(([option, id]) => [`--${option}`, id]),
      ...(run === undefined ? [] : ['--run', String(run)]),
      ...(bug === undefined ? [] : ['--bug', bug]),
    ],
    { env: { DATABASE_URL: databaseUrl }, onLine: onRun, signal },
  );
}
