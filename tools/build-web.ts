import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { runProgram } from './checks/run-step.ts';
import { root } from './root.ts';

export const WEB_FOLDER: string = join(root, 'apps/web/build/client');

const SOURCES = [
  'apps/web/app',
  'apps/web/public',
  'apps/web/chunk-groups.ts',
  'apps/web/compress-build.ts',
  'apps/web/prefer-style.ts',
  'apps/web/screens.ts',
  'apps/web/write-screens.ts',
  'apps/web/package.json',
  'apps/web/react-router.config.ts',
  'apps/web/vite.config.ts',
  'packages/contract/src',
  'packages/money/src',
  'packages/ui',
  'package-lock.json',
];

const STAMP = join(root, 'apps/web/build/.sources');

/** Runs that go on side by side build it once. */
const LOCK = join(root, 'apps/web/build.lock');

/** Builds the web app when it is not built from exactly these sources. Throws the build's output if that fails. */
export function buildWeb(): Promise<'built' | 'current'> {
  return withBuildLock(LOCK, buildIfChanged);
}

async function buildIfChanged(): Promise<'built' | 'current'> {
  const sources = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return 'current';
  const { code, output } = await runProgram('npm', [
    'run',
    'build',
    '--workspace=apps/web',
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Error(`The web app cannot be built:\n${output.trim()}`);
  writeFileSync(STAMP, sources);
  return 'built';
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow))
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!path.includes('/') || /\.(ts|json)$/.test(path)) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
