import { join } from 'node:path';
import type { ViteDevServer } from 'vite';
import { root } from '../root.ts';

/** What the API is built from. */
const FOLDERS = ['apps/api/src', 'packages/contract/src', 'packages/money/src'].map((folder) =>
  join(root, folder),
);
const QUIET_MS = 200;

/**
 * Calls `onChange` after each burst of changes in the API's sources, one call at a time. Vite's watcher follows a file
 * that an editor replaces with a new one, which `node:fs` loses sight of.
 */
export function watchSources(watcher: ViteDevServer['watcher'], onChange: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  watcher.add(FOLDERS);
  watcher.on('all', (_event, file) => {
    if (file.endsWith('.test.ts') || !FOLDERS.some((folder) => file.startsWith(folder))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(onChange);
    }, QUIET_MS);
  });
}
