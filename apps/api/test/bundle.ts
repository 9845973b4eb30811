import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { builtinsByName, LEFT_OUT } from '../../../tools/build-api.ts';
import { API_SERVER, buildApiApart } from '../../../tools/build-api-apart.ts';
import { withBuildLock } from '../../../tools/build-lock.ts';
import { runFolder } from './run-folder.ts';

/**
 * Bundles the program at `file` with its sources and packages into a few small files, which start in a third of the
 * time: tests start hundreds of processes. `plugin` changes what goes in, and is cached by its name.
 */
export function bundle(file: string, plugin?: Plugin): Promise<string> {
  const name = `${basename(file, '.ts')}${plugin ? `-${plugin.name.replaceAll(/\W+/g, '-')}` : ''}`;
  return buildOnce(name, async (dir) => {
    const build = await rolldown({
      input: file,
      platform: 'node',
      external: (id) => !id.startsWith('node:') && (LEFT_OUT.test(id) || id.startsWith('vitest')),
      plugins: [builtinsByName, plugin],
    });
    // Not made smaller: that takes three times as long as all the rest, and the program starts no sooner.
    await build.write({ dir, entryFileNames: `${name}.js` });
    await build.close();
  });
}

/** Where a run's bundled programs keep their compiled code, so that the next ones start sooner. */
export const compiledCode = (): string => join(runFolder(), 'compiled');

const built = new Map<string, Promise<string>>();

/** Once a run, although several workers may ask for it at the same time. */
function buildOnce(name: string, build: (dir: string) => Promise<void>): Promise<string> {
  const known = built.get(name) ?? buildIfMissing(name, build);
  built.set(name, known);
  return known;
}

async function buildIfMissing(name: string, build: (dir: string) => Promise<void>): Promise<string> {
  const program = join(runFolder(), `${name}.js`);
  await withBuildLock(join(runFolder(), `${name}.lock`), async () => {
    if (!existsSync(program)) await build(runFolder());
  });
  return program;
}

let server: Promise<string> | undefined;

/** The server as `npm run serve` runs it. */
export function buildServer(): Promise<string> {
  server ??= buildApiApart().then(() => API_SERVER);
  return server;
}
