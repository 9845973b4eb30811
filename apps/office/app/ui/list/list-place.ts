/**
 * A place in a list, kept in the URL: the page's cursor and those of the pages before it, so that a shared link leads
 * both ways. The first page has no cursor.
 */
export const CURSOR = 'cursor';
const CAME_BY = 'newer';

/** Forgets older cursors to keep the URL short; going back beyond them leads to the first page. */
const KEPT = 20;

/** The URL's query on the first page. */
export function firstPage(search: URLSearchParams): URLSearchParams {
  const to = new URLSearchParams(search);
  to.delete(CURSOR);
  to.delete(CAME_BY);
  return to;
}

export function isFirstPage(search: URLSearchParams): boolean {
  return search.get(CURSOR) === null;
}

export function olderPage(search: URLSearchParams, next: string): URLSearchParams {
  const cursor = search.get(CURSOR);
  const cameBy = cursor === null ? [] : [...search.getAll(CAME_BY), cursor];
  return pageAt(search, next, cameBy.slice(-KEPT));
}

export function newerPage(search: URLSearchParams): URLSearchParams {
  const cameBy = search.getAll(CAME_BY);
  const cursor = cameBy.pop();
  return cursor === undefined ? firstPage(search) : pageAt(search, cursor, cameBy);
}

function pageAt(search: URLSearchParams, cursor: string, cameBy: string[]): URLSearchParams {
  const to = firstPage(search);
  to.set(CURSOR, cursor);
  for (const each of cameBy) to.append(CAME_BY, each);
  return to;
}
