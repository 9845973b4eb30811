/** Tracks work that must finish before the process ends, even if nobody listens any more. */
export type UnderWay = {
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Marks the process as ending. */
  end(): void;
  /** Whether the process is ending, so that nothing long should be started or awaited. */
  isEnding(): boolean;
  /** Marks the process as ending; resolves when no work is in progress, or the time is up. */
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
