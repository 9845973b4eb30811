import { confirmSeen } from '../../db/confirm-seen.ts';
import type { Deps } from '../../deps.ts';
import { touchSchema } from './health.queries.ts';

/** Ready once the database has our schema and takes a write: not while it is a standby, or waits for one. */
export async function isReady(deps: Deps): Promise<boolean> {
  try {
    await touchSchema(deps.db.query);
    await confirmSeen(deps.db);
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'not ready');
    return false;
  }
}
