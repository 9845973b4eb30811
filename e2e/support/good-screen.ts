import { type Page, test } from '@playwright/test';
import { BOTH_SCHEMES, expectAccessible, type Scheme } from './accessibility.ts';
import { expectFits } from './screens.ts';

/**
 * Whether the journeys look everywhere and press in every way (`npm run journeys -- --whole`), or at a sample of both,
 * as in `npm test`.
 */
export const IS_WHOLE = process.env.WHOLE_JOURNEYS === '1';

/** The widths of the design for payers' screens. */
const WIDTHS = [320, 390, 768, 992, 1280, 1400];

/** Where axe looks in the sample, and in which colors: a phone's cards and a desk's tables are most of what differs. */
const SAMPLE = new Map<number, readonly Scheme[]>([
  [390, ['light']],
  [1280, BOTH_SCHEMES],
]);

/** What one width may take on a busy machine, pictures included, on top of the journey's own time. */
const A_LOOK_MS = 15_000;

/** Checks that a payer's screen fits every width, and that axe finds nothing serious on it, in light and dark. */
export async function expectGoodScreen(page: Page, name: string, judge?: () => Promise<void>): Promise<void> {
  await expectGoodAt(WIDTHS, page, name, judge);
}

/** The same for a screen that was designed for other widths. `judge` runs wherever axe looks. */
export async function expectGoodAt(
  widths: number[],
  page: Page,
  name: string,
  judge?: () => Promise<void>,
): Promise<void> {
  const journey = test.info();
  journey.setTimeout(journey.timeout + A_LOOK_MS * (IS_WHOLE ? widths.length : SAMPLE.size));
  await expectFits(page, name, widths, async (width) => {
    const schemes = IS_WHOLE ? BOTH_SCHEMES : SAMPLE.get(width);
    if (!schemes) return;
    await expectAccessible(page, schemes);
    await judge?.();
  });
}
