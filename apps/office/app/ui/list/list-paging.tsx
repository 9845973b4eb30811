import { Link, useSearchParams } from 'react-router';
import { formatDay } from '../../lib/times.ts';
import type { ListAnswer } from './list-answer.ts';
import { type ListOrder, ORDER_WORDS } from './list-order.ts';
import { isFirstPage, newerPage, olderPage } from './list-place.ts';

/** **Older** and **Newer**, or what fits the list's order: lists have neither page numbers nor totals. */
export function ListPaging({
  page: { next, searchedTo },
  order,
}: {
  page: ListAnswer<unknown>;
  order: ListOrder;
}) {
  const words = ORDER_WORDS[order];
  const [search] = useSearchParams();
  const isFirst = isFirstPage(search);
  if (isFirst && next === null && !searchedTo) return null;
  return (
    <div className="list-paging">
      {searchedTo && <p>{words.searched(formatDay(searchedTo))}</p>}
      {!isFirst && (
        <Link className="btn btn-outline" to={{ search: newerPage(search).toString() }}>
          {words.before}
        </Link>
      )}
      {next !== null && (
        <Link className="btn btn-outline" to={{ search: olderPage(search, next).toString() }}>
          {searchedTo ? words.further : words.after}
        </Link>
      )}
    </div>
  );
}
