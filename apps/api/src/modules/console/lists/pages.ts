/** Rows on a page of a list. */
export const PAGE_ROWS = 50;
/** So many rows a page looks at, and no more: no filter costs more when the books grow. */
export const MOST_CANDIDATES = 5_000;
