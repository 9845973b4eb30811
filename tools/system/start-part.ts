import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess } from '../machine/running-process.ts';
import { root } from '../root.ts';
import { hasEnded, type PartName, type Supervisor } from './supervise.ts';

export type PartOptions = {
  name: PartName;
  /** The script's absolute path. */
  script: string;
  /** Node's own. */
  options?: readonly string[];
  args?: string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Answers successfully once the part works. */
  readyUrl: string;
};

const READY_WITHIN_MILLISECONDS = 60_000;

/**
 * Starts one part as a child process and waits until it is ready. It has its own process group, so that Ctrl-C reaches
 * only the starter, which stops the parts in order. It logs to a file, so that it survives a killed starter until the
 * next start ends it.
 */
export async function startPart(supervisor: Supervisor, options: PartOptions): Promise<void> {
  const { name, script, options: nodeOptions = [], args = [], env, logFile, readyUrl } = options;
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = () => endChild(child);
  supervisor.add({ name, process: child, marker: script, stop });
  const failure = await untilReady({ child, readyUrl });
  if (failure === undefined) return supervisor.watch(name);
  await supervisor.stopPart(name);
  throw new Error(`The ${name} ${failure}:\n${lastLines(logFile)}`);
}

/** Returns what is wrong if the part doesn't become ready. */
async function untilReady({
  child,
  readyUrl,
}: {
  child: ChildProcess;
  readyUrl: string;
}): Promise<string | undefined> {
  const deadline = performance.now() + READY_WITHIN_MILLISECONDS;
  while (!(await answers(readyUrl))) {
    if (hasEnded(child)) return 'did not start';
    if (performance.now() > deadline) return `does not answer at ${readyUrl}`;
    await wait(50);
  }
  return undefined;
}

/** The end of a part's log. */
export function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-20).join('\n');
}

async function endChild({ pid }: ChildProcess): Promise<void> {
  if (pid !== undefined) await endProcess(pid, { killAfterMilliseconds: 30_000 });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
