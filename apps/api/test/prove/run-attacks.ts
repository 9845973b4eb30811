import { parseArgs } from 'node:util';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { AttackGroup, AttackRun } from './attack.ts';

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
    /** Only this run of each. */
    run: { type: 'string' },
  },
});

const [groupName = ''] = positionals;
const { default: group } = (await import(`./groups/${groupName}.ts`)) as { default: AttackGroup };
const [shard = 0, shards = 1] = values.shard.split('/').map(Number);
const bench = await group.open(process.env.DATABASE_URL ?? '');
let place = 0;
for (const attack of group.attacks) {
  if (!attack.id.startsWith(values.only)) continue;
  const runs = Math.min(attack.runs, Number(values.runs ?? attack.runs));
  for (let run = 0; run < runs; run++) {
    if (place++ % shards !== shard) continue;
    if (values.run !== undefined && Number(values.run) !== run) continue;
    const random = seededRandom(seedOf(`${values.seed}:${attack.id}:${run}`));
    const begin = performance.now();
    const wrong: string[] = [];
    try {
      await attack.run(bench, { run, random });
    } catch (error) {
      wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    wrong.push(...(await group.judge(bench)));
    say({ id: attack.id, name: attack.name, run, wrong, milliseconds: performance.now() - begin });
  }
}
await group.close(bench);
process.exit();

function say(line: AttackRun): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function seedOf(words: string): number {
  let hash = 2_166_136_261;
  for (const letter of words) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash;
}
