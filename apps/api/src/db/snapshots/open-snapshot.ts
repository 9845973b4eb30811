import { type OwnConnection, openOwnConnection } from '../own-connection.ts';
import type { WakeUps } from '../wake-ups.ts';
import { beginSnapshot } from './snapshot.queries.ts';

/**
 * A snapshot of the database on its own connection, so that a long read holds up nobody. Null if its owner has another
 * one open, on any instance.
 */
export async function openSnapshot(options: {
  url: string;
  applicationName: string;
  wakeUps: WakeUps;
  owner: string;
}): Promise<OwnConnection | null> {
  const connection = await openOwnConnection(options);
  try {
    if (await beginSnapshot(connection.query, options)) return connection;
  } catch (error) {
    await connection.close().catch(() => {});
    throw error;
  }
  await connection.close();
  return null;
}
