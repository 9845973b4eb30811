/** A payment that this process knows to be committed. */
export type SeenIntent = { intentId: string; createdAtMilliseconds: number };

/**
 * What this process has seen of the books. A database that doesn't know it was put back to an older state
 * while the process went on.
 */
export type BooksMemory = {
  /** The newest payment seen committed. */
  newest(): SeenIntent | null;
  remember(intent: SeenIntent): void;
  forget(): void;
  /**
   * Looks in progress at merchant accounts' lists, shared by all payers waiting for the same one. Each tells whether
   * others may look, too.
   */
  looks: Map<number, Promise<{ isBudgetSpent: boolean }>>;
  /** When the looks began that wait for the listing budget; each resumes its own reading. */
  unfinishedLooks: Map<number, { epoch: string; since: Date }>;
};

export function openBooksMemory(): BooksMemory {
  let newest: SeenIntent | null = null;
  return {
    newest: () => newest,
    remember(intent) {
      // Commits of one process overlap, so an older one may arrive last.
      if (!newest || newest.createdAtMilliseconds < intent.createdAtMilliseconds) newest = intent;
    },
    forget() {
      newest = null;
    },
    looks: new Map(),
    unfinishedLooks: new Map(),
  };
}
