/** Rows on a page of a list. */
export const PAGE_ROWS = 50;
/** So many rows a page looks at, and no more: no filter costs more when the books grow. */
export const MOST_CANDIDATES = 5_000;
/** Up to so many franchises each has its own stretch of an index; beyond, a list goes along the index of all. */
export const MOST_STRETCHES = 20;
