import pg from 'pg';
import { openKnowingSocket } from './connections/known-addresses.ts';

/** A connection that was given up or never came about; whatever was in progress on it may or may not have happened. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}

type Told = (error: Error | null) => void;

/**
 * Says of whatever keeps it from connecting that there is no connection. The reasons are of many kinds: no route, no
 * name, a certificate, a password, a role or database that is gone, no file descriptor left.
 */
export class ConnectingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, stream: openKnowingSocket });
  }

  override connect(): Promise<pg.Client>;
  override connect(tell: Told): void;
  override connect(tell?: Told): unknown {
    if (!tell) return super.connect().catch((cause: unknown) => Promise.reject(notConnected(cause)));
    return super.connect((cause: Error | null) => tell(cause && notConnected(cause)));
  }
}

const notConnected = (cause: unknown) => new LostConnection('the database cannot be reached', { cause });
