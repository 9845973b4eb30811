import { openSession, type Session } from '../own-connection.ts';
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
}): Promise<Session | null> {
  const session = await openSession(options);
  try {
    if (await beginSnapshot(session.query, options)) return session;
  } catch (error) {
    await session.close().catch(() => {});
    throw error;
  }
  await session.close();
  return null;
}
