import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, parentOf } from '../../../../../../tools/machine/running-process.ts';
import type { DataMachine, Network } from '../network.ts';
import { definePart, type Part } from '../part.ts';

/** A machine with Patroni and its Postgres. */
export type DataNode = {
  name: DataMachine;
  address: string;
  /** Past HAProxy. */
  url: string;
  /** For Patroni's calls: who signed its certificate, and the user and password of calls that change something. */
  certificateAuthority: string;
  patroniLogin: string;
  patroni: Part;
  /** Kills Postgres; Patroni decides whether to restart it. */
  killPostgres(): void;
  /** Freezes all of Postgres' processes, like a hung machine. */
  stopPostgres(): Promise<void>;
  wakePostgres(): Promise<void>;
};

export function defineDataNode(options: {
  name: DataMachine;
  network: Network;
  folder: string;
  config: string;
  env: Record<string, string>;
  account: { uid: number; gid: number } | undefined;
  password: string;
  /** The file with the certificate of whoever signs. */
  ca: string;
}): DataNode {
  const { name, network, folder, config, env, account, password, ca } = options;
  const address = network.addressOf(name);
  const dataDir = join(folder, name, 'data');
  const entry = network.entry(name);
  const drop = account && ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const patroni = definePart({
    command: [...entry, ...(drop ?? []), 'patroni', config],
    logFile: join(folder, `${name}.log`),
    env: {
      ...env,
      HOME: folder,
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `${address}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
    },
  });
  const postmaster = (): number | null => {
    const file = join(dataDir, 'postmaster.pid');
    if (!existsSync(file)) return null;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return isRunning(pid) ? pid : null;
  };
  const signalAll = async (signal: NodeJS.Signals) => {
    const pid = postmaster();
    if (pid === null) return;
    for (const each of [pid, ...(await childrenOf(pid))]) trySignal(each, signal);
  };
  const killPostgres = () => {
    const pid = postmaster();
    if (pid !== null) trySignal(pid, 'SIGKILL');
  };
  // Patroni leaves Postgres running.
  process.once('exit', killPostgres);
  return {
    name,
    address,
    url: clusterUrl({ address, password, ca }),
    certificateAuthority: readFileSync(ca, 'utf8'),
    patroniLogin: `${env.PATRONI_RESTAPI_USERNAME}:${password}`,
    patroni,
    killPostgres,
    stopPostgres: () => signalAll('SIGSTOP'),
    wakePostgres: () => signalAll('SIGCONT'),
  };
}

/** The database `postgres` there, encrypted, with its certificate checked. */
export const clusterUrl = ({ address, password, ca }: { address: string; password: string; ca: string }) =>
  `postgres://postgres:${password}@${address}:5432/postgres?sslmode=verify-full&sslrootcert=${ca}`;

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((pid) => parentOf(pid) === parent);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
