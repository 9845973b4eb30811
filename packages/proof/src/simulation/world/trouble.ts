/** What an instance's database does to it. */
export type DatabaseTrouble = {
  /** Whether the answer to a successful commit is lost together with its connection. */
  losesCommit(): boolean;
  /** The SQLSTATE that refuses a statement, if one does. */
  refuses(): string | null;
  /** Records that Postgres ended one of two deadlocked transactions. */
  noteDeadlock(): void;
};

/** What an instance's provider does to it. */
export type ProviderTrouble = {
  /** Returns one of the ways for a call to fail, or null. */
  draw<Way>(ways: readonly Way[]): Way | null;
  /** Does something at the provider at a later step, when nobody waits for it any more. */
  later(name: string, work: () => Promise<unknown>): void;
};

export type Trouble = DatabaseTrouble & ProviderTrouble;

/** For an instance without troubles. */
export const NO_TROUBLE: Trouble = {
  losesCommit: () => false,
  refuses: () => null,
  noteDeadlock: () => {},
  draw: () => null,
  later: () => {},
};
