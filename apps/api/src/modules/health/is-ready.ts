import type { Deps } from '../../deps.ts';
import { touchSchema } from './health.queries.ts';

/** Ready once the database answers and carries our schema. */
export async function isReady(deps: Deps): Promise<boolean> {
  try {
    await touchSchema(deps.db.query);
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'not ready');
    return false;
  }
}
