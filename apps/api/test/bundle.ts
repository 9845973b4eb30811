import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { buildApi, LEFT_OUT } from '../../../tools/build-api.ts';
import { isRunning } from '../../../tools/machine/running-process.ts';

const API = fileURLToPath(new URL('..', import.meta.url));

const FOLDER = '.test-bundle-';

const bundled = new Map<string, Promise<string>>();

/**
 * Bundles the program at `file` with its sources and packages into a few small files, which start in a third of the
 * time: tests start hundreds of processes. Deleted when this process ends. `plugin` changes what goes in, and is cached
 * by its name.
 */
export function bundle(file: string, plugin?: Plugin): Promise<string> {
  const name = `${basename(file, '.ts')}${plugin ? `-${plugin.name.replaceAll(/\W+/g, '-')}` : ''}`;
  const known = bundled.get(name) ?? write(file, { name, plugin });
  bundled.set(name, known);
  return known;
}

let server: Promise<string> | undefined;

/** The server as `npm run serve` runs it. Deleted when this process ends. */
export function buildServer(): Promise<string> {
  const folder = ownFolder();
  server ??= buildApi(folder).then(() => join(folder, 'server.js'));
  return server;
}

async function write(file: string, { name, plugin }: { name: string; plugin: Plugin | undefined }) {
  const build = await rolldown({
    input: file,
    platform: 'node',
    external: [LEFT_OUT, /^vitest/],
    ...(plugin && { plugins: [plugin] }),
  });
  const dir = ownFolder();
  await build.write({ dir, entryFileNames: `${name}.js`, minify: true });
  await build.close();
  return join(dir, `${name}.js`);
}

let folder: string | undefined;

function ownFolder(): string {
  if (folder === undefined) {
    const own = join(API, `${FOLDER}${process.pid}`);
    process.once('exit', () => remove(own));
    removeLeftOvers();
    folder = own;
  }
  return folder;
}

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true });

/** Removes folders of processes that were killed before they could. */
function removeLeftOvers(): void {
  const names = readdirSync(API).filter((name) => name.startsWith(FOLDER));
  for (const name of names) {
    if (!isRunning(Number(name.slice(FOLDER.length)))) remove(join(API, name));
  }
}
