import { parseArgs } from 'node:util';
import { findPlantedBug, plantOnLoad } from '../simulation/bugs/plant-bug.ts';
import type { AttackGroup } from './attack.ts';

// Plays one group's attacks on the migrated database in DATABASE_URL, and prints each run's outcome as a line of JSON
// (`AttackRun`).

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** This process's share: `0/2` is the first of two. */
    shard: { type: 'string', default: '0/1' },
    seed: { type: 'string', default: '1' },
    /** The most runs of each attack. */
    runs: { type: 'string' },
    /** Only attacks whose id begins with this. */
    only: { type: 'string', default: '' },
    /** Only the attack with this id. */
    attack: { type: 'string' },
    /** Only this run of each. */
    run: { type: 'string' },
    /** The name of a bug to plant in the engine. */
    bug: { type: 'string' },
  },
});

const [groupName = ''] = positionals;
// Must come before any module of the engine is loaded.
if (values.bug !== undefined) plantOnLoad(findPlantedBug(values.bug));
const { default: group } = (await import(`./${groupName}/group.ts`)) as { default: AttackGroup };
const [shard = 0, shards = 1] = values.shard.split('/').map(Number);
// Exits by itself, so that the 'exit' handlers end what the rig has started.
process.once('SIGTERM', () => process.exit(1));
const { playAttack } = await import('./play-attack.ts');
const rig = await group.open(process.env.DATABASE_URL ?? '');
let place = 0;
for (const attack of group.attacks) {
  if (!attack.id.startsWith(values.only) || attack.id !== (values.attack ?? attack.id)) continue;
  const runs = Math.min(attack.runs, Number(values.runs ?? attack.runs));
  for (let run = 0; run < runs; run++) {
    if (place++ % shards !== shard) continue;
    if (values.run !== undefined && Number(values.run) !== run) continue;
    const line = await playAttack(group, rig, { attack, run, seed: values.seed });
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}
await group.close(rig);
process.exit();
