import { globSync } from 'node:fs';

const SOURCES = '{apps/api/src,apps/{web,office}/app,packages/*/src}/**/*.{ts,tsx}';

/** Every source file that runs in production or in a browser, without tests and generated types. */
export function listSources(root: string): string[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !file.startsWith('packages/proof/') && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .sort();
}
