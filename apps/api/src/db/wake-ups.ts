import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** A task, and the merchant account that there is work on, where it is known. */
export type WakeUp = { task: string; accountId?: number | undefined };

/** Tells this instance's background work to look once more. */
export type WakeUps = {
  wake(wakeUp: WakeUp): void;
  /** Hears of every wake-up from now on; the result stops that. */
  onWake(listener: (wakeUp: WakeUp) => void): () => void;
};

const wakeUpsOf = new WeakMap<NodePgDatabase, Pick<WakeUps, 'wake'>>();

export function createWakeUps(): WakeUps {
  const listeners = new Set<(wakeUp: WakeUp) => void>();
  return {
    wake(wakeUp) {
      for (const listener of listeners) listener(wakeUp);
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Wake-ups through `db` are heard at once: what they are about is committed. */
export function bindWakeUps(db: NodePgDatabase, wakeUps: WakeUps): void {
  wakeUpsOf.set(db, wakeUps);
}

/** Wake-ups inside a transaction wait for `release`, after its commit; a rollback forgets them. */
export function holdWakeUps(tx: NodePgDatabase, wakeUps: WakeUps): { release(): void } {
  const held: WakeUp[] = [];
  wakeUpsOf.set(tx, { wake: (wakeUp) => void held.push(wakeUp) });
  return {
    release() {
      for (const wakeUp of held) wakeUps.wake(wakeUp);
    },
  };
}

/** On a connection that nobody bound, nothing is woken: a poll finds the rows. */
export function wakeThrough(db: NodePgDatabase, wakeUp: WakeUp): void {
  wakeUpsOf.get(db)?.wake(wakeUp);
}
