import { Link, useSearchParams } from 'react-router';
import { formatDay } from '../../lib/times.ts';
import type { ListAnswer } from './list-answer.ts';
import { type ListOrder, ORDER_WORDS, type OrderWords } from './list-order.ts';
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
  if (isFirst && next === null && searchedTo === undefined) return null;
  return (
    <div className="list-paging">
      {searchedTo && <p>{words.searched(formatDay(searchedTo))}</p>}
      {searchedTo === null && <p>Not everything was searched yet.</p>}
      {!isFirst && (
        <Link className="btn btn-outline" to={{ search: newerPage(search).toString() }}>
          {words.before}
        </Link>
      )}
      {next !== null && (
        <Link className="btn btn-outline" to={{ search: olderPage(search, next).toString() }}>
          {afterWords(words, searchedTo)}
        </Link>
      )}
    </div>
  );
}

function afterWords({ after, further }: OrderWords, searchedTo: string | null | undefined): string {
  if (searchedTo === undefined) return after;
  return searchedTo === null ? 'Search further' : further;
}
