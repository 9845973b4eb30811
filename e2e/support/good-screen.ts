import { type Page, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expectFits } from './screens.ts';

/** The widths of the design for payers' screens. */
const WIDTHS = [320, 390, 768, 992, 1280, 1400];
/** Where axe looks: phone and desk; with `EVERY_WIDTH=1` everywhere. */
const JUDGED = process.env.EVERY_WIDTH ? WIDTHS : [390, 1280];
/** What a look may take on a busy machine, on top of the journey's own time. */
const A_LOOK_MS = 15_000 * JUDGED.length;

/** Checks that a payer's screen fits every width, and that axe finds nothing serious on it, in light and dark. */
export async function expectGoodScreen(page: Page, name: string, judge?: () => Promise<void>): Promise<void> {
  const journey = test.info();
  journey.setTimeout(journey.timeout + A_LOOK_MS);
  await expectFits(page, name, WIDTHS, async (width) => {
    if (!JUDGED.includes(width)) return;
    await expectAccessible(page);
    await judge?.();
  });
}
