import type { ReactNode } from 'react';

/** One column of a list. */
export type ListColumn<Row> = {
  /** The words of its head, and of its line on a card. */
  head: string;
  /** What stands in it. Nothing to say: `null`; a card then leaves the line out. */
  cell: (row: Row) => ReactNode;
  /** Names the row: its cell is the row's head and holds the row's link. Exactly one column has it. */
  isName?: true;
  /** Amounts and counts stand at the end, in figures of one width. */
  isAmount?: true;
  /** Long text may break and take what is left; other cells stay in one line. */
  isWide?: true;
};
