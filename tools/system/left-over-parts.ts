import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess, isRunning, processCommand } from '../machine/running-process.ts';

type RunningPart = { name: string; pid: number; marker: string };
export type RunningSystem = { starterPid: number; portalUrl: string; parts: RunningPart[] };

/** The file's content while a system runs; undefined if none does. */
export function readRunningSystem(file: string): RunningSystem | undefined {
  if (!existsSync(file)) return undefined;
  const { starterPid, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as RunningSystem;
  return { starterPid, ...rest };
}

export function writeRunningSystem(file: string, system: RunningSystem): void {
  writeFileSync(file, JSON.stringify(system), { mode: 0o600 });
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
