/** Limits concurrent work per key in this process; the rest waits in line. */
export type Turnstile = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurnstile(places: number): Turnstile {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>();

  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running < places) queue.running++;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      // Hand the place over directly, so that nobody slips in between.
      if (next) next();
      else if (--queue.running === 0) queues.delete(key);
    }
  };
}
