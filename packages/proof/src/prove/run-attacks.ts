import { parseArgs } from 'node:util';
import { findPlantedBug, plantOnLoad } from '../simulation/bugs/plant-bug.ts';
import type { AttackGroup } from './attack.ts';

// A process that plays the attacks of one group on the migrated database in DATABASE_URL, and says what became of each
// run as a line of JSON, `AttackRun`.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Which of how many processes this is: `0/2`. */
    shard: { type: 'string', default: '0/1' },
    seed: { type: 'string', default: '1' },
    /** The most runs of one attack. */
    runs: { type: 'string' },
    /** Only the attacks whose id begins so. */
    only: { type: 'string', default: '' },
    /** Only the attack of this id. */
    attack: { type: 'string' },
    /** Only this run of each. */
    run: { type: 'string' },
    /** The name of a bug that is planted in the engine. */
    bug: { type: 'string' },
  },
});

const [groupName = ''] = positionals;
// Before anything of the engine is loaded.
if (values.bug !== undefined) plantOnLoad(findPlantedBug(values.bug));
const { default: group } = (await import(`./groups/${groupName}.ts`)) as { default: AttackGroup };
const [shard = 0, shards = 1] = values.shard.split('/').map(Number);
// What the rig started ends with it: handlers of 'exit' run only if it exits by itself.
process.once('SIGTERM', () => process.exit(1));
const { playAttack } = await import('./play-attack.ts');
const bench = await group.open(process.env.DATABASE_URL ?? '');
let place = 0;
for (const attack of group.attacks) {
  if (!attack.id.startsWith(values.only) || attack.id !== (values.attack ?? attack.id)) continue;
  const runs = Math.min(attack.runs, Number(values.runs ?? attack.runs));
  for (let run = 0; run < runs; run++) {
    if (place++ % shards !== shard) continue;
    if (values.run !== undefined && Number(values.run) !== run) continue;
    const line = await playAttack(group, bench, { attack, run, seed: values.seed });
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}
await group.close(bench);
process.exit();
