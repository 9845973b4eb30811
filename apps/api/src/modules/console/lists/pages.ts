export const PAGE_ROWS = 50;
/** The most rows a page looks at, so that no filter gets slower as the books grow. */
export const MOST_CANDIDATES = 5_000;
/**
 * Up to this many franchises are read one by one along the index; beyond, a list uses the index over all franchises.
 */
export const MOST_STRETCHES = 20;

/** How many rows to look at first, and then if too few match. */
const LOOKS = [PAGE_ROWS + 1, 200, 1_250, MOST_CANDIDATES];

/** Starts with few rows: most filters match enough of them, and a page then costs no more than it shows. */
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
