import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { runProgram } from './checks/run-step.ts';
import { hashSources } from './hash-sources.ts';
import { root } from './root.ts';

export const API_BUILD: string = join(root, 'apps/api/build');
/** What `npm run serve`, `npm start` and the image run: docs/decisions/0020. */
export const API_SERVER: string = join(API_BUILD, 'server.js');
/**
 * Node's options for it. Up to three times these MB of young garbage wait to be collected; V8's own size takes 80 MB more
 * for long lists and big imports, and wins no time.
 */
export const SERVER_OPTIONS: readonly string[] = ['--max-semi-space-size=16'];
/** Says which sources the server was built from. */
export const API_STAMP: string = join(API_BUILD, '.sources');

/** The bundle holds no other files of the checkout; the lockfile stands for the packages. */
export const API_SOURCES: readonly string[] = [
  'apps/api/src',
  'packages/contract/src',
  'packages/money/src',
  'tools/build-api.ts',
  'package-lock.json',
];

/**
 * Builds the server unless it was built from exactly these sources; in a separate process, which frees the bundler's 400
 * MB. Throws the build's output on failure.
 */
export function buildApiApart(): Promise<void> {
  return withBuildLock(join(root, 'apps/api/build.lock'), buildIfChanged);
}

async function buildIfChanged(): Promise<void> {
  if (isApiBuilt()) return;
  const { code, output } = await runProgram(process.execPath, [join(root, 'tools/build-api.ts')]);
  if (code !== 0) throw new Error(`The server cannot be built:\n${output.trim()}`);
}

/** Whether the server was built from exactly these sources. */
export const isApiBuilt = (): boolean =>
  existsSync(API_STAMP) && readFileSync(API_STAMP, 'utf8') === stampOf(hashSources(API_SOURCES));

/** Names the built file too, in case two builds met. */
export const stampOf = (sources: string): string =>
  `${sources} ${hashSources(existsSync(API_SERVER) ? [API_SERVER.slice(root.length + 1)] : [])}`;
