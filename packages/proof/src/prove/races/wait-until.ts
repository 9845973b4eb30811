import { setTimeout as wait } from 'node:timers/promises';

/** Waits for something to become true. `what` is said where it does not within half a minute. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > 30_000) throw new Error(`waited in vain: ${what}`);
    await wait(20);
  }
}
