import { LostConnection } from './lost-connection.ts';

/** Asks on a connection, and returns its rows. */
export type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Shut while commits wait for a standby that isn't there. Whoever came then would wait in vain, and leave a server process
 * behind that waits on, until the server has none left for those who only read.
 */
export type WriteGate = {
  isOpen(): boolean;
  shut(): void;
  /** Opens where no commit waits any more; throws otherwise. */
  pass(ask: Ask): Promise<void>;
};

/** Of our own role, as others' waits cannot be seen; those that have only just begun are nobody's trouble. */
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
