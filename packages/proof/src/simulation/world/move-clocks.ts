import type { SimulationBench } from '../bench.ts';

/** How far each emulator's clock has been moved. */
const moved = new WeakMap<SimulationBench['emulator'], number>();

/** The provider's clock goes with the engine's: a list is read back to a time of the engine's. */
export async function followEngineClock({
  admin,
  emulator,
}: Pick<SimulationBench, 'admin' | 'emulator'>): Promise<void> {
  const { rows } = await admin.query<{ seconds: number }>(
    "SELECT extract(epoch FROM coalesce((SELECT ahead FROM engine_clock), interval '0'))::float8 AS seconds",
  );
  const seconds = rows[0]?.seconds ?? 0;
  await emulator.advanceClock(seconds - (moved.get(emulator) ?? 0));
  moved.set(emulator, seconds);
}
