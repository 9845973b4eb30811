import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** The processes' total user and system CPU time so far, by Linux' count. */
export function cpuMilliseconds(...pids: (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + (statOf(pid)?.ticks ?? 0) * (1000 / TICKS_A_SECOND), 0);
}

/** A process and its children. */
export function withChildren(pid: number | undefined): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => statOf(each)?.parent === pid);
  return pid === undefined ? [] : [pid, ...children];
}

/** A process's resident memory, now or at its peak. */
export function residentMegabytes(pid: number | undefined, what: 'now' | 'peak' = 'now'): number {
  const line = what === 'now' ? /VmRSS:\s+(\d+) kB/ : /VmHWM:\s+(\d+) kB/;
  const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Undefined for a process that has ended or never existed. */
function statOf(pid: number | undefined): { parent: number; ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // Includes its children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
