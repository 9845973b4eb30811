import { type KnownGroup, playAttacks } from '../../apps/api/test/prove/play-attacks.ts';
import { type Findings, proveCommand } from './findings.ts';
import type { Job } from './run-jobs.ts';

const SHARDS = 2;

/** The attacks whose ids are meant, of every group that has some. */
export function attackJobs(
  groups: readonly KnownGroup[],
  {
    only,
    isWhole,
    seed,
    run,
    findings,
    signal,
  }: {
    /** How the id begins, or the whole of it. */
    only: string;
    isWhole: boolean;
    seed: number;
    run: number | undefined;
    findings: Findings;
    signal: AbortSignal;
  },
): Job[] {
  const isMeant = ({ id }: { id: string }) => (isWhole ? id === only : id.startsWith(only));
  const meant = groups.filter(({ attacks }) => attacks.some(isMeant));
  return meant.flatMap(({ name: group }) =>
    Array.from({ length: SHARDS }, (_, index) => ({
      name: `attacks of the group ${group}, part ${index + 1} of ${SHARDS}`,
      run: (databaseUrl: string) =>
        playAttacks({
          databaseUrl,
          group,
          shard: `${index}/${SHARDS}`,
          seed,
          only,
          run,
          signal,
          onRun: (attack) => {
            findings.attacks.push(attack);
            if (attack.wrong.length === 0) return;
            findings.failures.push({
              what: `${attack.id} ${attack.name}, run ${attack.run}`,
              wrong: attack.wrong,
              command: proveCommand([
                ...['--attack', attack.id, '--run', String(attack.run), '--seed', String(seed)],
              ]),
            });
          },
        }),
    })),
  );
}
