import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** A task and, if known, the merchant account with the work. */
export type WakeUp = { task: string; accountId?: number | undefined };

/** Tells this instance's background work to look for work now. */
export type WakeUps = {
  wake(wakeUp: WakeUp): void;
  /** Subscribes to wake-ups; the result unsubscribes. */
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

/** Wake-ups through `db` are sent at once, as their work is already committed. */
export function bindWakeUps(db: NodePgDatabase, wakeUps: WakeUps): void {
  wakeUpsOf.set(db, wakeUps);
}

/** Holds a transaction's wake-ups until `release`, after its commit; a rollback drops them. */
export function holdWakeUps(tx: NodePgDatabase, wakeUps: WakeUps): { release(): void } {
  const held: WakeUp[] = [];
  wakeUpsOf.set(tx, { wake: (wakeUp) => void held.push(wakeUp) });
  return {
    release() {
      for (const wakeUp of held) wakeUps.wake(wakeUp);
    },
  };
}

/** Does nothing on an unbound connection; a poll finds the rows. */
export function wakeThrough(db: NodePgDatabase, wakeUp: WakeUp): void {
  wakeUpsOf.get(db)?.wake(wakeUp);
}
