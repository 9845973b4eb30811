import type { ReactNode } from 'react';

export type ListColumn<Row> = {
  /** The column's heading, and the field's name on a card. */
  head: string;
  /** The content. A card leaves out a field that is `null`. */
  cell: (row: Row) => ReactNode;
  /** This cell names the row: it is the row's header and holds its link. Exactly one column has it. */
  isName?: true;
  /** Right-aligned in tabular figures, for amounts and counts. */
  isAmount?: true;
  /** May wrap and takes the remaining width; other cells stay on one line. */
  isWide?: true;
  /** Of a wide one: wraps sooner than others where there is little room. */
  isFirstToWrap?: true;
};
