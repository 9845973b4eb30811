import { setTimeout as wait } from 'node:timers/promises';

/** Waits until something is true. Fails with `what` after half a minute. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > 30_000) throw new Error(`waited in vain: ${what}`);
    await wait(20);
  }
}
