import { seededRandom } from '../../../../apps/api/test/seeded-random.ts';
import type { Attack, AttackGroup, AttackRun } from './attack.ts';

/** Plays one run of an attack and judges it. */
export async function playAttack<Rig>(
  group: AttackGroup<Rig>,
  rig: Rig,
  { attack, run, seed = '1' }: { attack: Attack<Rig>; run: number; seed?: string },
): Promise<AttackRun> {
  const { id, name } = attack;
  const random = seededRandom(seedOf(`${seed}:${id}:${run}`));
  const begin = performance.now();
  const wrong: string[] = [];
  try {
    await attack.run(rig, { run, random });
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  wrong.push(...(await group.judge(rig)));
  const figures = group.figures?.(rig);
  return { id, name, run, wrong, milliseconds: performance.now() - begin, ...(figures && { figures }) };
}

function seedOf(words: string): number {
  let hash = 2_166_136_261;
  for (const letter of words) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash;
}
