/** What the database says of itself, as its epoch stored it and as it is now. */
export type Marks = {
  /** In the order of `PARTS`; null if these books never served this address. */
  stored: string[] | null;
  read: string[];
  /** Whether this cluster acknowledges no commit before a standby has it. */
  waitsForStandby: boolean;
  /** Whether the database knows the newest payment that this process saw. */
  isRemembered: boolean;
};

const START = 'start of Postgres';
/** As `database_marks()` orders them, and the transaction that wrote the row. */
const PARTS = ['cluster', 'database', 'time line', START, 'payments table', 'charges table', 'row'] as const;
type Part = (typeof PARTS)[number];
const HIDDEN = '-';

/**
 * What says that this may be an older or another database, so that it may not know who left. A start of the same cluster
 * says nothing, unless the server hides which cluster or time line it is. Neither does a standby's promotion, if
 * it had every commit.
 */
export function listRestoreSigns({ stored, read, waitsForStandby, isRemembered }: Marks): string[] {
  const partOf = (marks: string[], name: Part) => marks[PARTS.indexOf(name)];
  const isChanged = (before: string[], name: Part) => partOf(before, name) !== partOf(read, name);
  const isSign = (before: string[], name: Part) => {
    if (name === START || (name === 'time line' && waitsForStandby)) return false;
    const isHidden = [partOf(before, name), partOf(read, name)].includes(HIDDEN);
    return isChanged(before, isHidden ? START : name);
  };
  const signs = stored ? PARTS.filter((name) => isSign(stored, name)) : [];
  return isRemembered ? signs : [...signs, 'a payment that was seen'];
}
