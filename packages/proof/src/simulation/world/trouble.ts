/** What an instance's database does to it. */
export type DatabaseTrouble = {
  /** Whether the answer to a commit that happened is lost, with its connection. */
  losesCommit(): boolean;
  /** The SQLSTATE with which a statement is refused, if it is. */
  refuses(): string | null;
  /** Two transactions locked each other out, and Postgres ended one of them. */
  noteDeadlock(): void;
};

/** What an instance's provider does to it. */
export type ProviderTrouble = {
  /** One of the ways for a call to go wrong, if it does. */
  draw<Way>(ways: readonly Way[]): Way | null;
  /** Does something at the provider at a later step, when nobody waits for it any more. */
  later(name: string, work: () => Promise<unknown>): void;
};

export type Trouble = DatabaseTrouble & ProviderTrouble;

/** Of an instance to which nothing happens. */
export const NO_TROUBLE: Trouble = {
  losesCommit: () => false,
  refuses: () => null,
  noteDeadlock: () => {},
  draw: () => null,
  later: () => {},
};
