import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning } from '../../../tools/machine/running-process.ts';

const API = fileURLToPath(new URL('..', import.meta.url));
const NAME = '.test-bundle-';

/** Names the process that a run begins with, for those that it starts. */
const RUN = 'TEST_RUN_PID';

let made: string | undefined;

/** From now on, this process and those it starts share one folder, which the returned function removes. */
export function beginRun(): () => void {
  process.env[RUN] = String(process.pid);
  return () => remove(join(API, `${NAME}${process.pid}`));
}

/** What a run builds. */
export function runFolder(): string {
  if (made === undefined) {
    removeLeftOvers();
    const owner = process.env[RUN] ?? String(process.pid);
    made = join(API, `${NAME}${owner}`);
    mkdirSync(made, { recursive: true });
    if (process.env[RUN] === undefined) process.once('exit', beginRun());
  }
  return made;
}

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true });

/** Removes folders of runs that were killed before they could. */
function removeLeftOvers(): void {
  const names = readdirSync(API).filter((name) => name.startsWith(NAME));
  for (const name of names) {
    if (!isRunning(Number(name.slice(NAME.length)))) remove(join(API, name));
  }
}
