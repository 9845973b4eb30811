import { LostConnection } from './lost-connection.ts';

/** Runs a query and returns its rows. */
export type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Shut while commits wait for a missing standby. A new writer would wait in vain and leave a server process waiting
 * behind it, until none is left for readers.
 */
export type WriteGate = {
  isOpen(): boolean;
  shut(): void;
  /** Opens if no commit waits any more; otherwise throws. */
  pass(ask: Ask): Promise<void>;
};

/** Our own role only, as others' waits aren't visible. Ignores waits that have just begun. */
const IS_ANY_WAITING = `
  SELECT EXISTS (SELECT FROM pg_stat_activity
                  WHERE usename = current_user AND wait_event = 'SyncRep'
                    AND query_start < clock_timestamp() - interval '2 seconds') AS "isAnyWaiting"`;

export function createWriteGate(): WriteGate {
  let isOpen = true;
  return {
    isOpen: () => isOpen,
    shut() {
      isOpen = false;
    },
    async pass(ask) {
      const [row] = await ask(IS_ANY_WAITING);
      if (row?.isAnyWaiting) throw new LostConnection('commits wait for a standby');
      isOpen = true;
    },
  };
}
