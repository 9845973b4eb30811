import { execFileSync, spawnSync } from 'node:child_process';

/** The account that runs Postgres; `undefined` is our own. */
export type PostgresAccount = { uid: number; gid: number } | undefined;

/** Postgres refuses to run as root, so root uses the account `postgres`, created if missing. */
export function postgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return undefined;
  if (idOf('-u') === undefined) {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  }
  const uid = idOf('-u');
  const gid = idOf('-g');
  if (uid === undefined || gid === undefined)
    throw new Error('The user postgres, who runs Postgres for root, cannot be made.');
  return { uid, gid };
}

/** Whether the account can reach this path; a home with mode 700 above it prevents that. */
export function canReach(account: PostgresAccount, path: string): boolean {
  if (account === undefined) return true;
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0;
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}
