import { type Page, test } from '@playwright/test';
import { BOTH_SCHEMES, expectAccessible, type Scheme } from './accessibility.ts';
import { expectFits } from './screens.ts';

/** What a group of screens was designed for, and where axe looks; with `EVERY_WIDTH=1` it looks everywhere. */
export type Design = {
  widths: number[];
  looks: ReadonlyMap<number, readonly Scheme[]>;
};

/** Phone and desk. */
const PAYERS_DESIGN: Design = {
  widths: [320, 390, 768, 992, 1280, 1400],
  looks: new Map([
    [390, BOTH_SCHEMES],
    [1280, BOTH_SCHEMES],
  ]),
};

/** What a look may take on a busy machine, pictures included, on top of the journey's own time. */
const A_LOOK_MILLISECONDS = 15_000;

/** Checks that a payer's screen fits every width, and that axe finds nothing serious on it, in light and dark. */
export async function expectGoodScreen(page: Page, name: string, judge?: () => Promise<void>): Promise<void> {
  await expectGoodIn(PAYERS_DESIGN, page, name, judge);
}

/** The same for screens of another design. `judge` runs wherever axe looks. */
export async function expectGoodIn(
  { widths, looks }: Design,
  page: Page,
  name: string,
  judge?: () => Promise<void>,
): Promise<void> {
  const journey = test.info();
  const isEvery = Boolean(process.env.EVERY_WIDTH);
  journey.setTimeout(journey.timeout + A_LOOK_MILLISECONDS * (isEvery ? widths.length : looks.size));
  await expectFits(page, name, widths, async (width) => {
    const schemes = isEvery ? BOTH_SCHEMES : looks.get(width);
    if (!schemes) return;
    await expectAccessible(page, schemes);
    await judge?.();
  });
}
