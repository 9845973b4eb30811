import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from './machine/running-process.ts';

const POLL_MILLISECONDS = 200;

/** Runs the work while no other process does; `file` holds the owner's pid. */
export async function withBuildLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  while (!take(file)) await wait(POLL_MILLISECONDS);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // A killed build leaves its lock behind.
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file: string): boolean {
  try {
    const owner = readFileSync(file, 'utf8');
    // Empty: just taken, and about to be written.
    return owner === '' || isRunning(Number(owner));
  } catch {
    return true;
  }
}
