import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

const FOLDERS = ['apps/web/app', 'apps/api/src', 'packages/contract/src', 'packages/money/src'];
const QUIET_MS = 200;

/** Calls `onChange` after each burst of changes in the sources, one call at a time. Returns what ends it. */
export function watchSources(onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const changed = (_event: string, name: string | null) => {
    if (name?.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(onChange);
    }, QUIET_MS);
  };
  const watchers = FOLDERS.map((folder) => watch(join(root, folder), { recursive: true }, changed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
