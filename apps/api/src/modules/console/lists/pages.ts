/** Rows on a page of a list. */
export const PAGE_ROWS = 50;
/** So many rows a page looks at, and no more: no filter costs more when the books grow. */
export const MOST_CANDIDATES = 5_000;
/** Up to so many franchises each has its own stretch of an index; beyond, a list goes along the index of all. */
export const MOST_STRETCHES = 20;

/** At how many rows a page looks first, and at how many more where too few of them fit. */
const LOOKS = [PAGE_ROWS + 1, 200, 1_250, MOST_CANDIDATES];

/** Looks at few rows first: most filters fit enough of them, and a page costs no more than what it shows. */
export async function lookFurther<Found>(
  look: (most: number) => Promise<Found>,
  isEnough: (found: Found) => boolean,
): Promise<Found> {
  const [first, ...others] = LOOKS;
  let found = await look(first ?? MOST_CANDIDATES);
  for (const most of others) {
    if (isEnough(found)) break;
    found = await look(most);
  }
  return found;
}
