import type { SimulationRig } from '../rig.ts';

/** How far each emulator's clock was moved. */
const moved = new WeakMap<SimulationRig['emulator'], number>();

/** Moves the provider's clock with the engine's, since a list is read back to an engine time. */
export async function moveProviderClock({
  admin,
  emulator,
}: Pick<SimulationRig, 'admin' | 'emulator'>): Promise<void> {
  const { rows } = await admin.query<{ seconds: number }>(
    "SELECT extract(epoch FROM coalesce((SELECT ahead FROM engine_clock), interval '0'))::float8 AS seconds",
  );
  const seconds = rows[0]?.seconds ?? 0;
  await emulator.advanceClock(seconds - (moved.get(emulator) ?? 0));
  moved.set(emulator, seconds);
}
