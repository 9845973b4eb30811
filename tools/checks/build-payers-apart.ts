import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeThrowAwayFolder } from '../machine/throw-away-folder.ts';
import { root } from '../root.ts';
import { runProgram } from './run-step.ts';

/** The sources of the payers' app: these folders and files, and nothing of the console. */
const TAKEN = ['apps/web', 'packages', 'tools', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
const LEFT_OUT = /\/(?:node_modules|build|\.react-router)(?:\/|$)/;

/** Checks that the payers' app builds identically without the console, file by file; throws if it doesn't. */
export async function checkPayersApart(webFolder: string): Promise<string> {
  return compareBuilds(hashFiles(webFolder), await buildPayersApart());
}

/** Compares the files by name. */
export function compareBuilds(built: Record<string, string>, apart: Record<string, string>): string {
  const names = [...new Set([...Object.keys(built), ...Object.keys(apart)])].sort();
  const others = names.filter((name) => built[name] !== apart[name]);
  if (others.length > 0)
    throw new Error(`Without the console the payers' app is another: ${others.join(', ')}`);
  return `${names.length} files are the same without the console.`;
}

/** Builds the payers' app in a copy of the sources without the console. Returns each file's hash. */
async function buildPayersApart(): Promise<Record<string, string>> {
  const folder = await makeThrowAwayFolder({ onDisk: true });
  try {
    for (const part of TAKEN) {
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !LEFT_OUT.test(path.slice(root.length)),
      });
    }
    linkPackages(folder);
    const app = join(folder, 'apps/web');
    const { code, output } = await runProgram('npm', ['run', 'build', `--prefix=${app}`, '--loglevel=error']);
    if (code !== 0) throw new Error(`The web app cannot be built without the console:\n${output.trim()}`);
    return hashFiles(join(app, 'build/client'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Links the installed packages, except our own, which come from the copy. */
function linkPackages(folder: string): void {
  const link = (target: string, path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  };
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@brightpane') link(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(folder, 'packages')))
    link(join(folder, 'packages', name), join(folder, 'node_modules/@brightpane', name));
}

function hashFiles(folder: string): Record<string, string> {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [
      path.slice(folder.length + 1),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
}
