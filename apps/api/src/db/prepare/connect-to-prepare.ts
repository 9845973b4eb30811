import pg from 'pg';
import { CONNECT_MILLISECONDS } from '../client.ts';

/**
 * Connects for the preparation at a start. Its statements wait for others' locks as long as it takes; a server that takes
 * the connection and is silent, or is gone meanwhile, ends the start, which is then tried again from outside.
 */
export async function connectToPrepare(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // A broken connection fails the current statement; without a listener the error would end the process unexplained.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database cannot be reached: ${why}`, { cause });
  }
  return client;
}
