/** Something to prove, on its own database. */
export type Job = {
  name: string;
  run(databaseUrl: string): Promise<void>;
};

/** Runs the jobs, that many at a time. A job that throws doesn't stop the others. */
export async function runJobs(
  jobs: Job[],
  {
    processes,
    withDatabase,
    onBroken,
    signal,
  }: {
    processes: number;
    withDatabase: (work: (url: string) => Promise<void>) => Promise<void>;
    onBroken: (job: Job, error: unknown) => void;
    signal: AbortSignal;
  },
): Promise<void> {
  const work = async () => {
    for (let job = jobs.shift(); job && !signal.aborted; job = jobs.shift()) {
      const next = job;
      await withDatabase((url) => next.run(url)).catch((error: unknown) => {
        if (!signal.aborted) onBroken(next, error);
      });
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
}
