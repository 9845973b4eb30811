import { readdir } from 'node:fs/promises';
import { isRunning, processCommand } from '../../../../../../tools/machine/running-process.ts';

/** Postgres of a killed run: Patroni gives it its own session, so it survives. The folder's name tells its run. */
const OURS = /brightpane-throw-away-(\d+)-\w+\/data\/db\d/;

export async function endLeftOverNodes(): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const owner = OURS.exec(processCommand(pid) ?? '')?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
