import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isRunning } from '../../../tools/running-process.ts';

const PROCESS = fileURLToPath(new URL('./crash-process.ts', import.meta.url));
const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const FOLDER = '.crash-process-';

/** Packages with binaries, and those that are loaded only where they are used. */
const LOADED_AS_THEY_ARE = /^(node:|@node-rs\/|@hyzyla\/|@sentry\/|pg-native|vitest)/;

let bundled: Promise<string> | undefined;

/**
 * Our sources and the packages they use as a few small files: hundreds of processes start from them, each in a third of
 * the time. Gone when this process ends.
 */
export function bundleCrashProcess(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  // Where the packages that are not bundled are found from.
  const dir = join(NODE_MODULES, `${FOLDER}${process.pid}`);
  process.once('exit', () => remove(dir));
  removeLeftOvers();
  const build = await rolldown({
    input: PROCESS,
    platform: 'node',
    external: LOADED_AS_THEY_ARE,
  });
  const { output } = await build.write({ dir, entryFileNames: 'crash-process.js', minify: true });
  await build.close();
  return join(dir, output[0].fileName);
}

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true });

/** Of processes that were ended before they could remove them. */
function removeLeftOvers(): void {
  const names = readdirSync(NODE_MODULES).filter((name) => name.startsWith(FOLDER));
  for (const name of names) {
    if (!isRunning(Number(name.slice(FOLDER.length)))) remove(join(NODE_MODULES, name));
  }
}
