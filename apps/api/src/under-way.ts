/** What must be finished before the process may end, though nobody may be listening any more. */
export type UnderWay = {
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way, or when the time is up. */
  settled(options: { withinMilliseconds: number }): Promise<void>;
};

export function trackUnderWay(): UnderWay {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
    async settled({ withinMilliseconds }) {
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMilliseconds);
      });
      await Promise.race([timeUp, Promise.allSettled(running)]);
      clearTimeout(timer);
    },
  };
}
