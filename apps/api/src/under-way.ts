/** What must be finished before the process may end, though nobody may be listening any more. */
export type UnderWay = {
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** From now on the process is ending. */
  end(): void;
  /** Whether the process is about to end, and nothing long should be begun or waited for. */
  isEnding(): boolean;
  /** Resolves when nothing is under way, or when the time is up. Ends the process's life as `end` does. */
  finished(options: { withinMilliseconds: number }): Promise<void>;
};

export function trackUnderWay(): UnderWay {
  const running = new Set<Promise<unknown>>();
  let ending = false;
  return {
    end() {
      ending = true;
    },
    isEnding: () => ending,
    track(work) {
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
    async finished({ withinMilliseconds }) {
      ending = true;
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMilliseconds);
      });
      await Promise.race([timeUp, Promise.allSettled(running)]);
      clearTimeout(timer);
    },
  };
}
