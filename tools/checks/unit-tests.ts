import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { root } from '../root.ts';

/** Importing one of these, even indirectly, makes a test more than a unit test. */
const DATABASES = ['apps/api/test/database/postgres.ts', 'tools/machine/embedded-postgres.ts'].map((file) =>
  resolve(root, file),
);
const PROGRAMS = ['node:child_process', '@playwright/test'];

/** Imports that exist at run time; type-only imports are erased. */
const IMPORT =
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Splits test files by their direct and indirect imports: a unit test reaches no database, program or browser. */
export function splitTests(files: string[]): { unit: string[]; system: string[] } {
  const read = readImports();
  const isUnit = (file: string) => !reaches(resolve(root, file), read);
  return { unit: files.filter(isUnit), system: files.filter((file) => !isUnit(file)) };
}

function reaches(file: string, read: (file: string) => string[]): boolean {
  const seen = new Set([file]);
  for (const each of seen) {
    if (DATABASES.includes(each)) return true;
    for (const name of read(each)) {
      if (PROGRAMS.includes(name)) return true;
      if (name.startsWith('.')) seen.add(resolve(dirname(each), name));
    }
  }
  return false;
}

/** Reads each file once. */
function readImports(): (file: string) => string[] {
  const known = new Map<string, string[]>();
  return (file) => {
    let found = known.get(file);
    if (found === undefined) {
      found = existsSync(file) ? importsIn(readFileSync(file, 'utf8')) : [];
      known.set(file, found);
    }
    return found;
  };
}

export function importsIn(source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, named, asked]) => named ?? asked ?? '');
}
