import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../../../../../apps/api/test/database/make-database.ts';
import { postgresAccount } from '../../../../../tools/machine/postgres-account.ts';
import { makeThrowAwayFolder } from '../../../../../tools/machine/throw-away-folder.ts';
import { root } from '../../../../../tools/root.ts';
import { askPatroni } from './ask-patroni.ts';
import { certify } from './certify.ts';
import { DATA_MACHINES, ETCD_MACHINES, type Network, openNetwork } from './network.ts';
import { clusterUrl, type DataNode, defineDataNode } from './nodes/data-node.ts';
import { endLeftOverNodes } from './nodes/end-left-over-nodes.ts';
import { definePart, type Part } from './part.ts';
import { findPostgresFolder } from './programs.ts';

/** Three data nodes, three etcd and one HAProxy, configured from the files that operators are given. */
export type Cluster = {
  network: Network;
  nodes: DataNode[];
  etcds: Part[];
  /** The database `postgres`, through HAProxy. */
  url: string;
  members(): Promise<Member[]>;
  /** The leader; throws if there is none within two minutes. */
  leader(): Promise<DataNode>;
  /** Starts what was killed and waits until there is a leader and a synchronous standby, and all others follow. */
  heal(): Promise<void>;
  close(): Promise<void>;
};

export type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string };

const FILES = join(root, 'deploy/ha');
const LONGEST_MILLISECONDS = 150_000;

export async function startCluster(): Promise<Cluster> {
  await endLeftOverNodes();
  const folder = await makeThrowAwayFolder();
  const account = postgresAccount();
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o755 });
  if (account) await chown(data, account.uid, account.gid);
  const config = join(folder, 'patroni.yml');
  await copyFile(join(FILES, 'patroni.yml'), config);
  const network = openNetwork();
  const authority = join(folder, 'authority');
  for (const name of DATA_MACHINES) {
    const into = join(data, name, 'tls');
    await mkdir(join(data, name));
    if (account) await chown(join(data, name), account.uid, account.gid);
    await certify({
      authority,
      name,
      addresses: ['haproxy' as const, name].map(network.addressOf),
      into,
      account,
    });
  }
  const ca = join(authority, 'ca.crt');
  const password = randomBytes(12).toString('hex');

  const peers = ETCD_MACHINES.map((name) => `${name}=http://${network.addressOf(name)}:2380`).join(',');
  const etcds = ETCD_MACHINES.map((name) => {
    const client = `http://${network.addressOf(name)}:2379`;
    const peer = `http://${network.addressOf(name)}:2380`;
    return definePart({
      command: ['etcd'],
      logFile: join(folder, `${name}.log`),
      env: {
        ...readSettings('etcd.env'),
        ETCD_NAME: name,
        ETCD_DATA_DIR: join(folder, name),
        ETCD_LISTEN_CLIENT_URLS: client,
        ETCD_ADVERTISE_CLIENT_URLS: client,
        ETCD_LISTEN_PEER_URLS: peer,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
        ETCD_INITIAL_CLUSTER: peers,
      },
    });
  });
  const nodes = DATA_MACHINES.map((name) =>
    defineDataNode({
      name,
      network,
      folder: data,
      config,
      account,
      password,
      ca,
      env: {
        ...readSettings('node.env', { '/var/lib/postgresql/brightpane': join(data, name) }),
        PATRONI_POSTGRESQL_BIN_DIR: findPostgresFolder() ?? '',
        PATRONI_ETCD3_HOSTS: ETCD_MACHINES.map((each) => `${network.addressOf(each)}:2379`).join(','),
        PATRONI_RESTAPI_PASSWORD: password,
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_PASSWORD: password,
      },
    }),
  );
  const address = network.addressOf('haproxy');
  const haproxy = definePart({
    command: ['haproxy', '-db', '-f', join(FILES, 'haproxy.cfg')],
    logFile: join(folder, 'haproxy.log'),
    env: {
      LISTEN: `${address}:5432`,
      CA: ca,
      ...Object.fromEntries(nodes.map((node, index) => [`DB${index + 1}`, node.address])),
    },
  });

  const members = async (): Promise<Member[]> => {
    for (const node of nodes) {
      const known = await askPatroni(node, '/cluster');
      if (known) return (known as { members: Member[] }).members;
    }
    return [];
  };
  const cluster: Cluster = {
    network,
    nodes,
    etcds,
    url: clusterUrl({ address, password, ca }),
    members,
    async leader() {
      let leading: DataNode | undefined;
      await untilTrue('one leads', async () => {
        for (const node of nodes) if (await isPrimary(node)) leading = node;
        return leading !== undefined;
      });
      return leading as DataNode;
    },
    async heal() {
      for (const node of nodes) {
        network.mend(node.name);
        await node.wakePostgres();
        node.patroni.start();
      }
      for (const part of [...etcds, haproxy]) part.start();
      await untilTrue(
        'the cluster is whole',
        async () => isWhole(await members()) && (await areAllStreaming(nodes)),
        async () => JSON.stringify(await members()),
      );
    },
    async close() {
      for (const node of nodes) {
        await node.patroni.kill();
        await node.wakePostgres();
        node.killPostgres();
      }
      for (const part of [...etcds, haproxy]) await part.kill();
      network.close();
      await wait(500);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await cluster.heal();
  return cluster;
}

/** Reads `NAME=value` lines; folders are moved, and values for a single machine are overridden by the caller. */
function readSettings(file: string, folders: Record<string, string> = {}): Record<string, string> {
  let text = readFileSync(join(FILES, file), 'utf8');
  for (const [theirs, ours] of Object.entries(folders)) text = text.replaceAll(theirs, ours);
  const lines = text.split('\n');
  return Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

function isWhole(members: Member[]): boolean {
  const inOrder = members.filter(({ state }) => state === 'running' || state === 'streaming');
  const count = (role: string) => inOrder.filter((member) => member.role === role).length;
  const isOneLine = new Set(inOrder.map(({ timeline }) => timeline)).size === 1;
  return (
    inOrder.length === DATA_MACHINES.length &&
    isOneLine &&
    count('leader') === 1 &&
    count('sync_standby') === 1
  );
}

/** Asks the primary: for a while after a kill, Patroni may still report the state before it. */
async function areAllStreaming(nodes: DataNode[]): Promise<boolean> {
  for (const node of nodes) {
    if (!(await isPrimary(node))) continue;
    const [row] = await ask<{ streaming: number; waitedFor: number }>(
      node.url,
      `SELECT count(*)::integer AS streaming, (count(*) FILTER (WHERE sync_state = 'sync'))::integer AS "waitedFor"
         FROM pg_stat_replication WHERE state = 'streaming'`,
    ).catch(() => []);
    return row?.streaming === DATA_MACHINES.length - 1 && row.waitedFor === 1;
  }
  return false;
}

export const isPrimary = async (node: DataNode): Promise<boolean> =>
  (await askPatroni(node, '/primary')) !== null;

/** Long enough that even on a busy machine only a standstill fails it. */
export async function untilTrue(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  otherwise: () => string | Promise<string> = () => '',
): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > LONGEST_MILLISECONDS) {
      throw new Error(`waited in vain: ${what}. ${await otherwise()}`);
    }
    await wait(100);
  }
}
