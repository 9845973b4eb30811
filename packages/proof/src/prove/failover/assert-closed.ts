import { get } from 'node:https';
import pg from 'pg';
import { callPatroni } from './ask-patroni.ts';
import type { Cluster } from './cluster.ts';
import { ETCD_MACHINES } from './network.ts';

/** Throws if Postgres talks without TLS, Patroni obeys without its password, or etcd answers without a certificate. */
export async function assertClosed({ url, nodes, network }: Cluster): Promise<void> {
  const plain = url.split('?')[0] ?? url;
  const refusal = await connect(plain);
  if (!refusal.includes('no encryption')) throw new Error(`without TLS, Postgres says: ${refusal}`);
  for (const node of nodes) {
    for (const path of ['/restart', '/switchover']) {
      const { status } = await callPatroni(node, path, { body: { leader: node.name } });
      if (status !== 401) throw new Error(`without a password, ${path} answers ${status}`);
    }
  }
  const [node] = nodes;
  for (const machine of ETCD_MACHINES) {
    const answer = await read(`https://${network.addressOf(machine)}:2379/v3/kv/range`, {
      ca: node?.certificateAuthority,
    });
    if (answer !== 'no connection') throw new Error(`without a certificate, ${machine} answers ${answer}`);
  }
}

async function connect(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return 'welcome';
  } catch (error) {
    return (error as Error).message;
  }
}

function read(url: string, options: { ca: string | undefined }): Promise<string> {
  return new Promise((resolve) => {
    const asked = get(url, { ...options, agent: false }, (answer) => {
      answer.resume();
      resolve(String(answer.statusCode));
    });
    asked.on('error', () => resolve('no connection'));
  });
}
