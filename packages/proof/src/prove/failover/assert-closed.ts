import pg from 'pg';
import { callPatroni } from './ask-patroni.ts';
import type { Cluster } from './cluster.ts';

/** Throws if Postgres talks without TLS, or Patroni obeys without its password. */
export async function assertClosed({ url, nodes }: Cluster): Promise<void> {
  const plain = url.split('?')[0] ?? url;
  const refusal = await connect(plain);
  if (!refusal.includes('no encryption')) throw new Error(`without TLS, Postgres says: ${refusal}`);
  for (const node of nodes) {
    for (const path of ['/restart', '/switchover']) {
      const { status } = await callPatroni(node, path, { body: { leader: node.name } });
      if (status !== 401) throw new Error(`without a password, ${path} answers ${status}`);
    }
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
