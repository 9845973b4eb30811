import { Link, useLocation, useSearchParams } from 'react-router';
import { formatDay } from '../../lib/times.ts';
import type { ListAnswer } from './list-answer.ts';

/** The pages that one came through, by their cursors; the first has none. */
type PagingState = { newer?: (string | null)[] };

/** **Older** and **Newer**: a list knows neither page numbers nor totals. */
export function ListPaging({ page: { next, searchedTo } }: { page: ListAnswer<unknown> }) {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const cursor = search.get('cursor');
  const newer = (state as PagingState | null)?.newer ?? [];
  const at = (place: string | null) => {
    const to = new URLSearchParams(search);
    if (place === null) to.delete('cursor');
    else to.set('cursor', place);
    return { search: to.toString() };
  };
  const older = next !== null && (
    <Link className="btn btn-outline" to={at(next)} state={{ newer: [...newer, cursor] }}>
      {searchedTo ? 'Search further back' : 'Older'}
    </Link>
  );
  if (cursor === null && !older && !searchedTo) return null;
  return (
    <div className="list-paging">
      {searchedTo && <p>Searched back to {formatDay(searchedTo)}.</p>}
      {cursor !== null && (
        <Link className="btn btn-outline" to={at(newer.at(-1) ?? null)} state={{ newer: newer.slice(0, -1) }}>
          Newer
        </Link>
      )}
      {older}
    </div>
  );
}
