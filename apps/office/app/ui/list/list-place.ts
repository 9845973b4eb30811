/**
 * Where in a list an address stands: the cursor of its page, and those of the pages that lead back from it, so that a
 * shared link goes on both ways. The first page has no cursor.
 */
const CURSOR = 'cursor';
const CAME_BY = 'newer';

/** Older ones are forgotten: an address stays short enough to be sent. From there on one goes back to the first page. */
const KEPT = 20;

/** The address's search on its first page. */
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
