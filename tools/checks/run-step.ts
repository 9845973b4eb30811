import { type ChildProcess, spawn } from 'node:child_process';
import { COMPILED_SOURCES } from '../machine/compiled-sources.ts';
import { root } from '../root.ts';
import type { FileTime } from './slowest-files.ts';

export type StepResult = {
  passed: number;
  failed: number;
  output: string;
  files?: FileTime[];
  /** Printed even if nothing failed, one per line. */
  figures?: string[];
};
export type Step = { name: string; run(): Promise<StepResult> };

const running = new Set<ChildProcess>();
let isStopping = false;

/** Runs one step and reports the result. An exception counts as its failure, so that the next steps still run. */
export async function runStep(step: Step): Promise<StepResult> {
  const begin = performance.now();
  const result = await step.run().catch(
    (error: unknown): StepResult => ({
      passed: 0,
      failed: 1,
      output: error instanceof Error ? error.message : String(error),
    }),
  );
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const mark = result.failed === 0 ? '✓' : '✗';
  const counts =
    result.failed === 0 ? `${result.passed} passed` : `${result.passed} passed, ${result.failed} failed`;
  const figures = (result.figures ?? []).map((line) => `${line}\n`).join('');
  const report = result.failed === 0 ? figures : `${figures}\n${result.output.trim()}\n\n`;
  process.stdout.write(`${mark} ${step.name.padEnd(22)} ${counts.padEnd(24)} ${seconds} s\n${report}`);
  return result;
}

/** Runs a program in the checkout to its end. */
export async function runProgram(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    NODE_COMPILE_CACHE: COMPILED_SOURCES,
  },
): Promise<{ code: number; output: string }> {
  if (isStopping) throw new Error('not run: stopped before');
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((done, fail) => {
    child.on('error', fail).on('close', (exitCode) => done(exitCode ?? 1));
  });
  running.delete(child);
  return { code, output };
}

/** Counts a program's exit code as one check. */
export async function runCheck(command: string, args: string[]): Promise<StepResult> {
  const { code, output } = await runProgram(command, args);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/** Starts no further program, and sends the signal, if any, to the running ones. */
export function stopProgress(signal?: NodeJS.Signals): void {
  isStopping = true;
  if (signal) for (const child of running) child.kill(signal);
}
