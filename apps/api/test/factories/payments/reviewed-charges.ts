import { chargesOf } from '../../books/compare-ledgers.ts';
import { advanceEngineClock } from '../../books/engine-clock.ts';
import { sweep } from '../../books/sweep.ts';
import type { TestApp } from '../../build-test-app.ts';
import type { TestEmulator } from '../../emulator.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** A list isn't asked for while its account rests because it didn't answer. */
const LONGEST_REST_SECONDS = 61;

type Given = { emulator: TestEmulator; pay: () => Promise<unknown> };

/** An abandoned payment whose hold stayed unknown for a day. Returns the charge, which is now in review. */
export async function leaveUnresolved(
  portal: TestApp,
  { emulator, pay, isHeld }: Given & { isHeld: boolean },
): Promise<string> {
  await emulator.script({ fault: 'reset', when: isHeld ? 'after' : 'before', command: 'authonly' });
  const findCharge = await watchForCharge(portal);
  await pay();
  await emulator.script({ fault: 'status', status: 500, command: 'list', times: 100 });
  await advanceEngineClock(portal.deps, 6);
  await sweep(portal.deps);
  for (const seconds of [DAY_SECONDS + HOUR_SECONDS, HOUR_SECONDS + 60]) {
    await advanceEngineClock(portal.deps, seconds);
    await sweep(portal.deps);
  }
  await emulator.clearFaults();
  await advanceEngineClock(portal.deps, LONGEST_REST_SECONDS);
  return findCharge('unresolved');
}

/** An accepted payment whose capture keeps failing for a day and after. */
export async function leaveUncaptured(portal: TestApp, { emulator, pay }: Given): Promise<string> {
  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 100 });
  const findCharge = await watchForCharge(portal);
  await pay();
  await sweep(portal.deps);
  await advanceEngineClock(portal.deps, DAY_SECONDS + 60);
  await sweep(portal.deps);
  return findCharge('accepted');
}

/** Returns the charge made after this call, and checks its state. */
async function watchForCharge({ deps }: TestApp): Promise<(state: string) => Promise<string>> {
  const before = new Set((await chargesOf(deps)).map(({ id }) => id));
  return async (state) => {
    const made = (await chargesOf(deps)).find(({ id }) => !before.has(id));
    if (made?.state !== state) throw new Error(`the charge is ${made?.state}, not ${state}`);
    return made.id;
  };
}
