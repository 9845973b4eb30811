/** Far fewer rows than a statement can work on in the five seconds that it has. */
const AT_ONCE = 1_000;

/**
 * Repeats a statement that works on at most so many rows, until it finds fewer: however long a backlog is, no statement
 * meets its time limit. `work` returns how many it found.
 */
export async function inBatches(work: (most: number) => Promise<number>): Promise<void> {
  let found: number;
  do {
    found = await work(AT_ONCE);
  } while (found >= AT_ONCE);
}
