import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './find-free-port.ts';
import { canReach, type PostgresAccount, postgresAccount } from './postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { endProcess, isRunning, processCommand } from './running-process.ts';

export type EmbeddedPostgres = {
  /** The superuser's URL of the database `postgres`. */
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Holds the cluster, its password and its log; created if missing. */
  dataDir: string;
  /** Any free port by default. */
  port?: number;
  /** False drops every guarantee against a crash, for throw-away servers. */
  durable?: boolean;
  settings?: Record<string, string | number>;
};

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Runs a real Postgres on 127.0.0.1, created on first use; first ends a server that a killed run left in this folder.
 * Doesn't use the package's own class, because its exit hook would end Postgres before the processes that still write
 * to it.
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true } = options;
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, 'cluster');
  const account = postgresAccount();
  const binaries = await findPostgresBinaries(account);

  await mkdir(dataDir, { recursive: true });
  await endLeftOverPostgres(dataDir);
  refuseForeignCluster(cluster, account);
  if (!existsSync(cluster)) await makeCluster({ binaries, account, dataDir, cluster, durable });

  const port = options.port ?? (await findFreePort());
  const logFile = join(dataDir, 'server.log');
  const log = openSync(logFile, 'w', 0o600);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(durable ? {} : NOT_DURABLE),
    ...options.settings,
  };
  const server = spawn(
    binaries.postgres,
    [
      '-D',
      cluster,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Its own process group, so that Ctrl-C reaches only the starter, which then stops its parts in order.
    { ...account, cwd: cluster, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  await untilReady({ server, cluster, logFile });

  const password = await readFile(join(dataDir, 'password'), 'utf8');
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    process: server,
    stop: () => endServer(server.pid),
  };
}

/** Ends a server that a killed run left in this folder, recognized by its own lock file. */
export async function endLeftOverPostgres(dataDir: string): Promise<void> {
  const cluster = join(resolve(dataDir), 'cluster');
  const lockFile = join(cluster, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number((await readFile(lockFile, 'utf8')).split('\n')[0]);
  if (!isRunning(pid)) return;
  if (processCommand(pid)?.includes(cluster)) await endServer(pid);
  // The pid belongs to another process now, which Postgres would take for its own server.
  else await rm(lockFile);
}

function refuseForeignCluster(cluster: string, account: PostgresAccount): void {
  const mine = account?.uid ?? process.getuid?.();
  if (!existsSync(cluster) || mine === undefined) return;
  if (statSync(cluster).uid !== mine) {
    throw new Error(
      `${cluster} belongs to another user. Start as that user, or set DATA_DIR to another folder.`,
    );
  }
}

/** SIGINT is Postgres' fast shutdown: it ends sessions and keeps everything committed. */
async function endServer(pid: number | undefined): Promise<void> {
  if (pid !== undefined) await endProcess(pid, { signal: 'SIGINT', killAfterMilliseconds: 20_000 });
}

async function makeCluster(options: {
  binaries: PostgresBinaries;
  account: PostgresAccount;
  dataDir: string;
  cluster: string;
  durable: boolean;
}): Promise<void> {
  const { binaries, account, dataDir, cluster, durable } = options;
  const unfinished = `${cluster}.unfinished`;
  const passwordFile = join(dataDir, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (account !== undefined) {
    await chmod(dataDir, 0o711);
    if (!canReach(account, dataDir))
      throw new Error(`The user postgres cannot reach ${dataDir}. Set DATA_DIR to another folder.`);
    await chown(unfinished, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  await run(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      // Tests open thousands of connections. More iterations only protect passwords that can be guessed.
      ...(durable ? [] : ['--no-sync', '--set=scram_iterations=1']),
    ],
    { ...account, cwd: unfinished },
  );
  await rename(unfinished, cluster);
}

async function run(
  command: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done, fail) => child.on('close', done).on('error', fail));
  if (code !== 0) throw new Error(`${command} failed:\n${output}`);
}

/** The states in which a server takes connections; a standby takes readers. */
const SERVES = new Set(['ready', 'standby']);

async function untilReady(options: {
  server: ChildProcess;
  cluster: string;
  logFile: string;
}): Promise<void> {
  const { server, cluster, logFile } = options;
  let failure: Error | undefined;
  server.on('error', (error) => {
    failure = error;
  });
  server.on('exit', () => {
    failure ??= new Error('it ended');
  });
  // Postgres writes its state as the last line of its lock file.
  const lockFile = join(cluster, 'postmaster.pid');
  while (failure === undefined) {
    // Not there before the server writes it, nor after one that failed has removed it.
    const lines = (await readFile(lockFile, 'utf8').catch(() => '')).trimEnd().split('\n');
    if (Number(lines[0]) === server.pid && SERVES.has(lines.at(-1)?.trim() ?? '')) return;
    await wait(20);
  }
  const log = await readFile(logFile, 'utf8').catch(() => '');
  throw new Error(
    `Postgres did not start (${failure.message}):\n${log.trim().split('\n').slice(-15).join('\n')}`,
  );
}
