import { useFranchise } from '../../lib/franchise-choice.ts';
import { franchiseNames } from '../../lib/me/franchise-names.ts';
import { useMe } from '../../lib/me/use-me.ts';
import type { ListColumn } from '../list/list-column.ts';

/**
 * A list's columns, with **Franchise** after the row's name while no single one is chosen: the numbers of work orders and
 * customers are each office's own. `listsAll`: whatever is chosen, the list has those of all.
 */
export function useFranchiseColumn<Row>(
  columns: ListColumn<Row>[],
  franchisesOf: (row: Row) => number[],
  { listsAll = false } = {},
): ListColumn<Row>[] {
  const { franchises } = useMe();
  const isOneChosen = useFranchise() !== null && !listsAll;
  if (isOneChosen || franchises.length === 1) return columns;
  const nameOf = franchiseNames(franchises);
  const franchise: ListColumn<Row> = {
    head: 'Franchise',
    isWide: true,
    isFirstToWrap: true,
    cell: (row) => [...new Set(franchisesOf(row))].map(nameOf).join('; '),
  };
  return columns.flatMap((column) => (column.isName ? [column, franchise] : [column]));
}
