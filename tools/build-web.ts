import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { runProgram } from './checks/run-step.ts';
import { hashSources } from './hash-sources.ts';
import { root } from './root.ts';

export const WEB_FOLDER: string = join(root, 'apps/web/build/client');
export const OFFICE_FOLDER: string = join(root, 'apps/office/build/client');

/** What both browser apps are built from, besides their own sources. */
const SHARED = [
  'packages/contract/src',
  'packages/money/src',
  'packages/ui',
  'tools/browser-build',
  'package-lock.json',
];

/** A browser app: its folder in `apps`, and which of its files are sources. */
type BrowserApp = { name: 'web' | 'office'; words: string; sources: string[] };

const WEB: BrowserApp = {
  name: 'web',
  words: 'The web app',
  sources: [
    ...['app', 'public', 'add-early-scripts.ts', 'chunk-groups.ts', 'prefer-style.ts', 'screens.ts'],
    ...['write-screens.ts', 'package.json', 'react-router.config.ts', 'vite.config.ts'],
  ],
};

const OFFICE: BrowserApp = {
  name: 'office',
  words: 'The office console',
  sources: [
    ...['app', 'public', 'chunk-groups.ts', 'screens.ts', 'write-screens.ts'],
    ...['package.json', 'react-router.config.ts', 'vite.config.ts'],
  ],
};

/** Builds the web app unless it was built from exactly these sources. Throws the build's output on failure. */
export function buildWeb(): Promise<'built' | 'current'> {
  return buildOnce(WEB);
}

/** The same for the console. */
export function buildOffice(): Promise<'built' | 'current'> {
  return buildOnce(OFFICE);
}

/** Builds both in sequence: one build takes all the cores of a small machine. */
export async function buildBrowserApps(): Promise<'built' | 'current'> {
  const built = [await buildWeb(), await buildOffice()];
  return built.includes('built') ? 'built' : 'current';
}

/** Concurrent runs build it only once. */
function buildOnce(app: BrowserApp): Promise<'built' | 'current'> {
  return withBuildLock(join(root, `apps/${app.name}/build.lock`), () => buildIfChanged(app));
}

async function buildIfChanged(app: BrowserApp): Promise<'built' | 'current'> {
  const stamp = join(root, `apps/${app.name}/build/.sources`);
  const sources = hashSources([...app.sources.map((source) => `apps/${app.name}/${source}`), ...SHARED]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return 'current';
  const { code, output } = await runProgram('npm', [
    'run',
    'build',
    `--workspace=apps/${app.name}`,
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Error(`${app.words} cannot be built:\n${output.trim()}`);
  writeFileSync(stamp, sources);
  return 'built';
}
