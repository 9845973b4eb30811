import { confirmSeen } from '../../db/confirm-seen.ts';
import type { Deps } from '../../deps.ts';
import { touchSchema } from './health.queries.ts';

type ReadyDeps = Pick<Deps, 'db' | 'log'>;

/** Shorter than proxies' intervals. */
const STILL_READY_MILLISECONDS = 1_000;

/**
 * Whether the database has our schema and takes a write: not while it is a standby, or waits for one. Anybody may ask,
 * so one check answers all who ask at the time, and a success those of the next second. A failure is asked about again.
 */
export function createReadiness(deps: ReadyDeps): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  let readyAt = Number.NEGATIVE_INFINITY;
  const check = async () => {
    const startedAt = performance.now();
    const ready = await isReady(deps);
    if (ready) readyAt = startedAt;
    underWay = undefined;
    return ready;
  };
  return async () => {
    if (performance.now() - readyAt < STILL_READY_MILLISECONDS) return true;
    underWay ??= check();
    return underWay;
  };
}

async function isReady(deps: ReadyDeps): Promise<boolean> {
  try {
    await touchSchema(deps.db.query);
    await confirmSeen(deps.db);
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'not ready');
    return false;
  }
}
