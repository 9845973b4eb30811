import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftOverPostgres } from './embedded-postgres.ts';
import { isRunning } from './running-process.ts';

const NAME = 'brightpane-throw-away-';
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * Makes an empty folder for one run, in memory if there is room, unless it has to be on disk. Copying a database's
 * thousands of small files takes 11 ms there and 300 ms on a disk; but measurements in memory never wait for a disk.
 */
export async function makeThrowAwayFolder({ onDisk = false } = {}): Promise<string> {
  const parent = !onDisk && hasRoom(MEMORY) ? MEMORY : tmpdir();
  const folder = await mkdtemp(join(parent, `${NAME}${process.pid}-`));
  // The account that runs Postgres for root has to pass through it.
  await chmod(folder, 0o711);
  return folder;
}

/** Ends and removes what killed runs left, recognized by the pid in the folder's name. */
export async function removeLeftOverFolders(): Promise<void> {
  for (const parent of [MEMORY, tmpdir()]) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(NAME))) {
      const owner = Number(name.slice(NAME.length).split('-')[0]);
      if (!isRunning(owner)) await removeFolder(join(parent, name));
    }
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await endLeftOverPostgres(join(folder, 'postgres'));
    await rm(folder, { recursive: true, force: true });
  } catch {
    // Another user's folder, or another run is removing it; either way it doesn't matter.
  }
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
