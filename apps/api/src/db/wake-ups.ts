import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** Tells this instance's background work to look once more. */
export type WakeUps = {
  wake(name: string): void;
  /** Hears of every wake-up from now on; the result stops that. */
  onWake(listener: (name: string) => void): () => void;
};

const wakeUpsOf = new WeakMap<NodePgDatabase, Pick<WakeUps, 'wake'>>();

export function createWakeUps(): WakeUps {
  const listeners = new Set<(name: string) => void>();
  return {
    wake(name) {
      for (const listener of listeners) listener(name);
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
  const held = new Set<string>();
  wakeUpsOf.set(tx, { wake: (name) => held.add(name) });
  return {
    release() {
      for (const name of held) wakeUps.wake(name);
    },
  };
}

/** On a connection that nobody bound, nothing is woken: a poll finds the rows. */
export function wakeThrough(db: NodePgDatabase, name: string): void {
  wakeUpsOf.get(db)?.wake(name);
}
