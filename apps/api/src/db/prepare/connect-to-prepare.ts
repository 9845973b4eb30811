import pg from 'pg';
import { CONNECT_MILLISECONDS } from '../client.ts';

/** A connection for the preparation failed, or its settings can't be used. */
export class UnreachableDatabase extends Error {
  /** Private, as errors are printed with all that they show, and a URL has a password. */
  readonly #url: string;
  readonly why: string;

  constructor(url: string, cause: Error & { code?: string }) {
    // Where a name has several addresses, the error has no message of its own.
    const why = cause.message || String(cause.code);
    super(`The database cannot be reached: ${why}`, { cause });
    this.#url = url;
    this.why = why;
  }

  isOf(url: string): boolean {
    return url === this.#url;
  }
}

/**
 * Connects for the preparation at a start. Its statements wait for others' locks as long as it takes; a server that takes
 * the connection and is silent, or is gone meanwhile, ends the start, which is then tried again from outside.
 */
export async function connectToPrepare(url: string): Promise<pg.Client> {
  try {
    // Reads the files that the URL names.
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    });
    // A broken connection fails the current statement; without a listener the error would end the process unexplained.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (cause) {
    throw new UnreachableDatabase(url, cause as Error);
  }
}
