import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { endProcess, isRunning, processCommand } from '../running-process.ts';

type RunningPart = { name: string; pid: number; marker: string };
export type RunningSystem = { starterPid: number; portalUrl: string; parts: RunningPart[] };

/** What is written in the file while a start runs; undefined when none does. */
export function readRunningSystem(file: string): RunningSystem | undefined {
  if (!existsSync(file)) return undefined;
  const { starterPid, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as RunningSystem;
  return { starterPid, ...rest };
}

export function writeRunningSystem(file: string, system: RunningSystem): void {
  writeFileSync(file, JSON.stringify(system), { mode: 0o600 });
}

/** Whether that start is still there, and not another process under its number. */
export function isStarterRunning({ starterPid }: RunningSystem): boolean {
  return isRunning(starterPid) && (processCommand(starterPid)?.includes('tools/start.ts') ?? false);
}

/** Ends the parts that a killed start left running, last started first. */
export async function endLeftOverParts(file: string): Promise<void> {
  for (const { pid, marker } of readRunningSystem(file)?.parts.reverse() ?? []) {
    if (isRunning(pid) && processCommand(pid)?.includes(marker)) await endProcess(pid);
  }
  rmSync(file, { force: true });
}
