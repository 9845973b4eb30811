import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { root } from '../../tools/root.ts';

/** The title of the current screen. Its words tell that a screen asked for is there, and the last one gone. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Where pictures of screens are kept, if `SCREENS` asks for them: `1` means `e2e/screens`, else it names a folder. */
export function picturesFolder(): string | undefined {
  const { SCREENS } = process.env;
  return SCREENS === '1' ? join(root, 'e2e/screens') : SCREENS || undefined;
}

const WIDTHS = [320, 390, 768, 1280];

/**
 * Checks that the current page and its dialogs don't overflow at any width of the design. With `SCREENS` it keeps pictures in light
 * and dark mode. `judge` runs at each width too.
 */
export async function expectFits(
  page: Page,
  name: string,
  widths: number[] = WIDTHS,
  judge?: (width: number) => Promise<void>,
): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 768 ? 780 : 900 });
    const sticksOut = () =>
      page.evaluate(() => {
        const boxes = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
        return Math.max(...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      });
    await expect.poll(sticksOut, { message: `pixels that ${name} is too wide at ${width}` }).toBe(0);
    await judge?.(width);
    await takePictures(page, `${name}-${width}`);
  }
  if (before) await page.setViewportSize(before);
}

async function takePictures(page: Page, name: string): Promise<void> {
  const folder = picturesFolder();
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
}
