import { readEngineTime } from '../../../../../apps/api/src/db/clock/engine-clock.queries.ts';
import type { People } from './people.ts';

/** Moves the provider's clock to the engine's, so that its lists show the times that the portal reads. */
export async function alignClocks({
  emulator,
  instances: [{ deps }],
}: Pick<People, 'emulator' | 'instances'>): Promise<void> {
  const theirs = await emulator.advanceClock(0);
  const ours = await readEngineTime(deps.db.query);
  await emulator.advanceClock((ours.getTime() - theirs.getTime()) / 1000);
}
