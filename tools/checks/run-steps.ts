import { runStep, type Step, type StepResult, stopProgress } from './run-step.ts';
import { tenSlowest } from './slowest-files.ts';

/** Runs steps whatever fails, then says what took longest, how long it all took, and how much passed and failed. */
export async function runSteps(
  work: (run: (...steps: Step[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const begin = performance.now();
  const results: StepResult[] = [];
  // Ctrl-C reaches the programs by itself; other ways to stop us do not.
  process.once('SIGINT', () => stopProgress());
  process.once('SIGTERM', () => stopProgress('SIGINT'));

  await work(async (...steps) => {
    for (const step of steps) results.push(await runStep(step));
  });

  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(tenSlowest(results.flatMap(({ files = [] }) => files)));
  process.stdout.write(
    `in ${((performance.now() - begin) / 1000).toFixed(0)} s\n${passed} passed, ${failed} failed\n`,
  );
  if (failed > 0 || passed === 0) process.exitCode = 1;
}
