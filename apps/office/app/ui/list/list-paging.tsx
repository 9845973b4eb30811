import { Link, useSearchParams } from 'react-router';
import { formatDay } from '../../lib/times.ts';
import type { ListAnswer } from './list-answer.ts';
import { isFirstPage, newerPage, olderPage } from './list-place.ts';

/** **Older** and **Newer**: lists have neither page numbers nor totals. */
export function ListPaging({ page: { next, searchedTo } }: { page: ListAnswer<unknown> }) {
  const [search] = useSearchParams();
  const isFirst = isFirstPage(search);
  if (isFirst && next === null && !searchedTo) return null;
  return (
    <div className="list-paging">
      {searchedTo && <p>Searched back to {formatDay(searchedTo)}.</p>}
      {!isFirst && (
        <Link className="btn btn-outline" to={{ search: newerPage(search).toString() }}>
          Newer
        </Link>
      )}
      {next !== null && (
        <Link className="btn btn-outline" to={{ search: olderPage(search, next).toString() }}>
          {searchedTo ? 'Search further back' : 'Older'}
        </Link>
      )}
    </div>
  );
}
