/**
 * Works off items, several at a time. A look takes as many as there are free workers; finding fewer means that nothing else
 * is due, so that a single item needs a single look. Resolves when nothing is left; then throws the first error, if any.
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
  /** Takes what is due, at most so many; of items that must be worked on alone, one. */
  take: (most: number) => Promise<readonly Item[]>;
  work: (item: Item) => Promise<void>;
  /** Whether others may be worked on beside this item. */
  mayShare?: ((item: Item) => boolean) | undefined;
  isStopping?: (() => boolean) | undefined;
}): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isMoreDue = true;
  let isAlone = false;
  const start = (item: Item) => {
    const working: Promise<void> = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(working));
    running.add(working);
  };
  /** A failure costs a worker, so that failing work ends. */
  const free = () => workers - running.size - failures.length;
  const look = async () => {
    const most = free();
    const items = await take(most);
    for (const item of items) start(item);
    isAlone = !items.every(mayShare);
    isMoreDue = isAlone || items.length >= most;
  };
  for (;;) {
    try {
      while (isMoreDue && !isAlone && free() > 0 && !isStopping()) await look();
    } catch (error) {
      failures.push(error);
    }
    if (running.size === 0) break;
    await (isAlone ? Promise.all(running) : Promise.race(running));
    isAlone = false;
    // What fell due meanwhile doesn't wait for an item that takes long.
    isMoreDue ||= running.size > 0;
  }
  if (failures.length > 0) throw failures[0];
}
