import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Whether a process with this pid exists and isn't a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process is running, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** A process's command line, to tell ours from one that reuses its pid. */
export function processCommand(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

/** The parent of this process, original or adopted; undefined if unknown. */
export function parentOf(pid: number): number | undefined {
  try {
    const status = existsSync('/proc/self/status')
      ? /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-p', String(pid), '-o', 'ppid='], { encoding: 'utf8' });
    return status === undefined ? undefined : Number(status);
  } catch {
    return undefined;
  }
}

/** Asks a process to end, waits, and kills it if it doesn't. */
export async function endProcess(
  pid: number,
  options: { signal?: NodeJS.Signals; killAfterMilliseconds?: number } = {},
): Promise<void> {
  const { signal = 'SIGTERM', killAfterMilliseconds = 10_000 } = options;
  if (!isRunning(pid)) return;
  process.kill(pid, signal);
  const deadline = performance.now() + killAfterMilliseconds;
  while (isRunning(pid)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL');
    await wait(20);
  }
}

/** In a container whose first process reaps nobody, an orphan stays a zombie forever. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
