import type { AttackRun } from '../prove/attack.ts';
import { playAttacks } from '../prove/play-attacks.ts';
import { findPlantedBug, plantInDatabase } from '../simulation/bugs/plant-bug.ts';
import type { PlantedBug } from '../simulation/bugs/planted-bugs.ts';
import { playSeeds } from '../simulation/play-seeds.ts';
import { proveCommand } from './findings.ts';
import type { Job } from './run-jobs.ts';
import type { Surroundings } from './seed-jobs.ts';

/** A planted bug must be noticed within this many seeds. */
export const MOST_SEEDS_FOR_A_BUG = 500;

/** What noticed a bug, what the same check says without the bug, and the command that replays it. */
type Noticed = { what: string; wrong: string[]; withoutIt: string[]; again: string[] };

/** Jobs for planted bugs. A check that notices a bug must also pass without it. */
export function bugJobs(
  bugs: readonly PlantedBug[],
  { count, ...surroundings }: Surroundings & { count: number },
): Job[] {
  const { findings } = surroundings;
  return bugs.map(({ name, attack }) => ({
    name: `planted bug: ${name}`,
    run: async (databaseUrl) => {
      const begin = performance.now();
      const noticed = attack
        ? await playAttackWith(name, databaseUrl, { attack, ...surroundings })
        : await playSeedsWith(name, databaseUrl, { count, ...surroundings });
      const { what, wrong, withoutIt, again } = noticed;
      const isCaught = wrong.length > 0 && withoutIt.length === 0 && !isOfCode(wrong);
      const caughtBy = isCaught ? { what, wrong } : null;
      findings.bugs.push({ name, caughtBy, milliseconds: performance.now() - begin });
      if (isCaught) return;
      findings.failures.push({
        what: `planted bug: ${name}`,
        wrong: whyNotCaught(noticed),
        command: proveCommand(['--bug', name, ...again]),
      });
    },
  }));
}

function whyNotCaught({ what, wrong, withoutIt }: Noticed): string[] {
  if (wrong.length === 0) return [`${what}: not noticed`];
  if (withoutIt.length > 0) return [`${what} goes wrong without it as well`, ...withoutIt];
  return [`${what}: what is planted does not run`, ...wrong];
}

/** Whether an error comes from the planted edit itself (a missing name, say) rather than from its effect. */
export const isOfCode = (wrong: readonly string[]): boolean =>
  wrong.some((each) => /\b(Reference|Type|Syntax)Error\b/.test(each));

/** Plays seeds from the first on, until one notices the bug. */
async function playSeedsWith(
  bug: string,
  databaseUrl: string,
  { count, withDatabase, signal }: Surroundings & { count: number },
): Promise<Noticed> {
  const runs = await playSeeds({ databaseUrl, from: 1, count, bug, signal });
  const { seed = 1, wrong = [] } = runs.at(-1) ?? {};
  const again = ['--seed', String(seed)];
  if (wrong.length === 0) return { what: `${runs.length} seeds`, wrong, withoutIt: [], again };
  const [without] = await withDatabase((url) =>
    playSeeds({ databaseUrl: url, from: seed, count: 1, signal }),
  );
  return { what: `seed ${seed}`, wrong, withoutIt: without?.wrong ?? [], again };
}

async function playAttackWith(
  bug: string,
  databaseUrl: string,
  {
    attack: { group, id },
    withDatabase,
    signal,
  }: Surroundings & { attack: NonNullable<PlantedBug['attack']> },
): Promise<Noticed> {
  const play = async (url: string, planted: string | undefined) => {
    const runs: AttackRun[] = [];
    const which = { group, shard: '0/1', seed: 1, meant: { attack: id }, run: 0, bug: planted };
    await playAttacks({ databaseUrl: url, ...which, onRun: (run) => runs.push(run), signal });
    // The judge's word on money comes last and counts most.
    return runs.flatMap(({ wrong }) => wrong.toReversed());
  };
  await plantInDatabase(findPlantedBug(bug), databaseUrl);
  const wrong = await play(databaseUrl, bug);
  const withoutIt = await withDatabase((url) => play(url, undefined));
  return { what: id, wrong, withoutIt, again: [] };
}
