/**
 * Works off items with several workers. Each worker that finds an item starts another, so one item uses one worker and
 * a backlog uses all. Resolves when nothing is left; then throws the first error, if any.
 */
export async function workTogether<Item>({
  workers,
  take,
  work,
  mayShare = () => true,
  isStopping = () => false,
}: {
  /** The maximum at a time. */
  workers: number;
  take: () => Promise<Item | undefined>;
  work: (item: Item) => Promise<void>;
  /** Whether other workers may run beside this item. */
  mayShare?: ((item: Item) => boolean) | undefined;
  isStopping?: (() => boolean) | undefined;
}): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const workOff = async () => {
    while (!isStopping()) {
      const item = await take();
      if (item === undefined) return;
      if (mayShare(item) && running.size < workers) hire();
      await work(item);
    }
  };
  const hire = () => {
    const worker: Promise<void> = workOff()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(worker));
    running.add(worker);
  };
  hire();
  while (running.size > 0) await Promise.race(running);
  if (failures.length > 0) throw failures[0];
}
