import { join, sep } from 'node:path';
import type { ViteDevServer } from 'vite';
import { root } from '../root.ts';

const QUIET_MILLISECONDS = 200;

/**
 * Calls `onChange` with the changed folders after each burst of changes, one call at a time. Uses Vite's watcher,
 * because `node:fs` loses files that an editor replaces.
 */
export function watchSources(
  watcher: ViteDevServer['watcher'],
  names: string[],
  onChange: (changed: ReadonlySet<string>) => Promise<void>,
): void {
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  let changed = new Set<string>();
  watcher.add(names.map((name) => join(root, name)));
  watcher.on('all', (_event, file) => {
    const name = names.find((each) => file.startsWith(join(root, each, sep)));
    if (name === undefined || /\.test\.tsx?$/.test(file)) return;
    changed.add(name);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const burst = changed;
      changed = new Set();
      work = work.then(() => onChange(burst));
    }, QUIET_MILLISECONDS);
  });
}
