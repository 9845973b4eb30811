import type { TestEmulator } from '../emulator.ts';
import { isOpenHold } from './provider-ledger.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Somebody at the provider gives back a hold that is none of their business. */
export async function voidByHand(emulator: TestEmulator, random: SeededRandom): Promise<void> {
  const holds = (await emulator.ledger()).filter(isOpenHold);
  if (holds.length === 0) return;
  const { merchant, key } = random.pick(holds);
  await emulator.callAs(merchant, 'POST', '/transactions', { command: 'void', trankey: key });
}
