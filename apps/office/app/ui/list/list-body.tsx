import type { ReactNode } from 'react';
import type { ListAnswer } from './list-answer.ts';
import { ListPaging } from './list-paging.tsx';
import { ListProblem } from './list-problem.tsx';
import { ListRows, type ListRowsProps } from './list-rows.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ListState } from './use-list.ts';

/**
 * A list in whatever state it is: why it did not come, a skeleton, its rows or that there are none, the way to older
 * ones. Old rows stay while others load and when they are refused.
 */
export function ListBody<Row>({
  list: { page, problem, isLoading },
  above,
  status = '',
  empty,
  ...rows
}: {
  list: ListState<ListAnswer<Row>>;
  /** Between what went wrong and the rows. */
  above?: ReactNode;
  /** Said once everything is there, such as the zone of the times. */
  status?: string;
  /** In place of rows. */
  empty: ReactNode;
} & Omit<ListRowsProps<Row>, 'rows' | 'isBusy'>) {
  return (
    <>
      {problem && <ListProblem problem={problem} />}
      {above}
      <p className="list-status" role="status">
        {isLoading ? 'Loading…' : status}
      </p>
      {page === null && isLoading && <ListSkeleton columns={rows.columns.length} />}
      {page !== null &&
        (page.items.length > 0 ? (
          <ListRows {...rows} rows={page.items} isBusy={isLoading} />
        ) : (
          !isLoading && page.next === null && empty
        ))}
      {page !== null && <ListPaging page={page} />}
    </>
  );
}
