import type { OfficeCaller } from '../../../http/office-caller.ts';

export const PAGE_ROWS = 50;
/** The most rows a page looks at, so that no filter gets slower as the books grow. */
export const MOST_CANDIDATES = 5_000;
/** The most franchises that a caller of all is read one by one along the index. */
const MOST_STRETCHES = 20;

/**
 * Whether a list uses the index over all franchises. Only for a caller who sees them all: among rows that aren't
 * theirs, a caller of some might find none on a page, and so no next one.
 */
export const readsAll = (
  { isForAll }: Pick<OfficeCaller, 'isForAll'>,
  offices: readonly unknown[],
): boolean => isForAll && offices.length > MOST_STRETCHES;

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
