/** A moment of the books that this process knows to have been committed. */
export type SeenIntent = { intentId: string; createdAtMilliseconds: number };

/**
 * What this process has seen of the books. A database that does not know it is an older state, put back under a process
 * that went on.
 */
export type BooksMemory = {
  /** The newest payment that was seen to be committed. */
  newest(): SeenIntent | null;
  remember(intent: SeenIntent): void;
  forget(): void;
  /** Looks at merchant accounts' lists that are under way: several payers wait for the same one. */
  looks: Map<number, Promise<void>>;
  /** When looks began that wait for the budget of listings: each goes on with the reading it began. */
  unfinishedLooks: Map<number, { epoch: string; since: Date }>;
};

export function openBooksMemory(): BooksMemory {
  let newest: SeenIntent | null = null;
  return {
    newest: () => newest,
    remember(intent) {
      // Commits of one process overlap, so an older one may come in last.
      if (!newest || newest.createdAtMilliseconds < intent.createdAtMilliseconds) newest = intent;
    },
    forget() {
      newest = null;
    },
    looks: new Map(),
    unfinishedLooks: new Map(),
  };
}
