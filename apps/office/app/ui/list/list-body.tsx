import { focusTitleIfLost } from '@brightpane/ui/page/focus-soon';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ListAnswer } from './list-answer.ts';
import type { ListOrder } from './list-order.ts';
import { ListPaging } from './list-paging.tsx';
import { ListProblem } from './list-problem.tsx';
import { ListRows, type ListRowsProps } from './list-rows.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ListState } from './use-list.ts';

/**
 * A list in any state: an error, a skeleton, rows or none, and the links to other pages. The old rows stay while new
 * ones load, and if those are refused.
 */
export function ListBody<Row>({
  list: { page, problem, isLoading },
  above,
  status = '',
  empty,
  order = 'newest-first',
  ...rows
}: {
  list: ListState<ListAnswer<Row>>;
  /** Between the error and the rows. */
  above?: ReactNode;
  /** Shown once loaded, such as the zone of the times. */
  status?: string;
  /** Shown instead of rows. */
  empty: ReactNode;
  order?: ListOrder;
} & Omit<ListRowsProps<Row>, 'rows' | 'isBusy'>) {
  // What began a load may be gone once it ends: "Older" on the last page, "Try again" once it worked.
  const hasLoaded = useRef(false);
  useEffect(() => {
    if (isLoading) return;
    if (hasLoaded.current) return focusTitleIfLost();
    hasLoaded.current = true;
  }, [isLoading]);
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
      {page !== null && <ListPaging page={page} order={order} />}
    </>
  );
}
