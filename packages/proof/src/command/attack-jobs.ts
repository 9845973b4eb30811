import { type KnownGroup, playAttacks } from '../prove/play-attacks.ts';
import { type Findings, proveCommand } from './findings.ts';
import type { Job } from './run-jobs.ts';

const PROCESSES_A_GROUP = 2;

export type Meant = { only: string } | { attack: string };

/** Jobs for the selected attacks, per group that has any. */
export function attackJobs(
  groups: readonly KnownGroup[],
  {
    meant,
    seed,
    run,
    findings,
    signal,
  }: {
    meant: Meant;
    seed: number;
    run: number | undefined;
    findings: Findings;
    signal: AbortSignal;
  },
): Job[] {
  return groups
    .filter(({ attacks }) => attacks.some((attack) => isMeant(attack, meant)))
    .flatMap(({ name: group, isAlone }) => {
      const shards = isAlone || 'attack' in meant ? 1 : PROCESSES_A_GROUP;
      return Array.from({ length: shards }, (_, index) => ({
        name: `attacks of the group ${group}, part ${index + 1} of ${shards}`,
        run: (databaseUrl: string) =>
          playAttacks({
            databaseUrl,
            group,
            shard: `${index}/${shards}`,
            seed,
            meant,
            run,
            signal,
            onRun: (attack) => {
              findings.attacks.push(attack);
              if (attack.wrong.length === 0) return;
              const again = ['--attack', attack.id, '--run', String(attack.run), '--seed', String(seed)];
              findings.failures.push({
                what: `${attack.id} ${attack.name}, run ${attack.run}`,
                wrong: attack.wrong,
                command: proveCommand(again),
              });
            },
          }),
      }));
    });
}

/** How many runs there will be. */
export function countRuns(groups: readonly KnownGroup[], meant: Meant): number {
  const attacks = groups.flatMap((group) => group.attacks).filter((attack) => isMeant(attack, meant));
  return attacks.reduce((sum, { runs }) => sum + runs, 0);
}

function isMeant({ id }: { id: string }, meant: Meant): boolean {
  return 'attack' in meant ? id === meant.attack : id.startsWith(meant.only);
}
