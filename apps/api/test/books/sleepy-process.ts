import { vi } from 'vitest';

/** Longer than any lease. */
const SLEEP_MILLISECONDS = 61_000;

/** Runs `work` in a process that sleeps wherever `work` calls `sleep`: when it wakes, its clock has gone on. */
export async function inSleepyProcess(work: (sleep: () => void) => Promise<void>): Promise<void> {
  const awake = performance.now.bind(performance);
  let asleep = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => awake() + asleep);
  const sleep = () => {
    asleep += SLEEP_MILLISECONDS;
  };
  await work(sleep).finally(() => clock.mockRestore());
}
