import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Whether a process of this number is there and not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is running, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** The command line of a running process, to tell ours from one that took over its number. */
export function processCommand(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

/** The process that started this one, or took it over; undefined when that cannot be told. */
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

/** Asks a process to end, waits until it is gone, and kills it when it does not listen. */
export async function endProcess(
  pid: number,
  options: { signal?: NodeJS.Signals; killAfterMs?: number } = {},
): Promise<void> {
  const { signal = 'SIGTERM', killAfterMs = 10_000 } = options;
  if (!isRunning(pid)) return;
  process.kill(pid, signal);
  const deadline = performance.now() + killAfterMs;
  while (isRunning(pid)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL');
    await wait(20);
  }
}

/** In a container whose first process reaps nobody, an ended orphan stays in the table for good. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
