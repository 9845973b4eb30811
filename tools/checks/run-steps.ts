import { runStep, type Step, type StepResult, stopProgress } from './run-step.ts';
import { tenSlowest } from './slowest-files.ts';

/**
 * Runs all steps whatever fails; then prints what took longest, which steps failed, the total time, and how much passed
 * and failed.
 */
export async function runSteps(
  work: (run: (...steps: Step[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const begin = performance.now();
  const results: StepResult[] = [];
  const failures: string[] = [];
  // Ctrl-C reaches the child programs by itself; other signals don't.
  process.once('SIGINT', () => stopProgress());
  process.once('SIGTERM', () => stopProgress('SIGINT'));

  await work(async (...steps) => {
    for (const step of steps) {
      const result = await runStep(step);
      results.push(result);
      if (result.failed > 0) failures.push(step.name);
    }
  });

  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(tenSlowest(results.flatMap(({ files = [] }) => files)));
  if (failures.length > 0) process.stdout.write(`Failed: ${failures.join('; ')}\n`);
  process.stdout.write(
    `in ${((performance.now() - begin) / 1000).toFixed(0)} s\n${passed} passed, ${failed} failed\n`,
  );
  if (failed > 0 || passed === 0) process.exitCode = 1;
}
