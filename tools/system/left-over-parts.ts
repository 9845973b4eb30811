import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess, isRunning, processCommand } from '../machine/running-process.ts';
import { writeWhole } from './write-whole.ts';

type RunningPart = { name: string; pid: number; marker: string };
export type RunningSystem = { starterPid: number; portalUrl: string; parts: RunningPart[] };

/**
 * The file's content while a system runs; undefined if none does. One that can't be read names none: parts that it may have
 * named hold their ports, which the next start reports.
 */
export function readRunningSystem(file: string): RunningSystem | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { starterPid, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as RunningSystem;
    return { starterPid, ...rest };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function writeRunningSystem(file: string, system: RunningSystem): void {
  writeWhole(file, JSON.stringify(system));
}

/** Whether that start has ended, or does so in time: one that is being stopped is worth waiting for. */
export async function endsWithin(system: RunningSystem, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isStarterRunning(system)) {
    if (performance.now() > deadline) return false;
    await wait(50);
  }
  return true;
}

/** Another process may have the same pid by now. */
function isStarterRunning({ starterPid }: RunningSystem): boolean {
  return isRunning(starterPid) && (processCommand(starterPid)?.includes('tools/start.ts') ?? false);
}

/** Ends the parts that a killed start left running, newest first. */
export async function endLeftOverParts(file: string): Promise<void> {
  for (const { pid, marker } of readRunningSystem(file)?.parts.reverse() ?? []) {
    if (isRunning(pid) && processCommand(pid)?.includes(marker)) await endProcess(pid);
  }
  rmSync(file, { force: true });
}
