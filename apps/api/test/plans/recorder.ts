import type { Statement } from './watch-statements.ts';

/** Runs one call or task, and keeps its statements under its name. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

type Answer = { statusCode: number; body: string };

/** Statements between steps are the test's own and aren't kept. */
export function createRecorder(take: () => Statement[]): { step: Step; kept: Map<string, Statement[]> } {
  const kept = new Map<string, Statement[]>();
  const step: Step = async (name, work) => {
    take();
    const result = await work();
    kept.set(name, take());
    if (isAnswer(result) && result.statusCode >= 300) throw new Error(`${name}: ${result.body}`);
    return result;
  };
  return { step, kept };
}

function isAnswer(result: unknown): result is Answer {
  return typeof result === 'object' && result !== null && 'statusCode' in result;
}
