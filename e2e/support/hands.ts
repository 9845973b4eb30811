import type { Locator, Page } from '@playwright/test';

/** How somebody operates a screen. */
export type Hands = {
  press(target: Locator): Promise<void>;
  /** Replaces a field's text. */
  write(field: Locator, text: string): Promise<void>;
};

const WAYS = {
  mouse: () => ({ press: (target) => target.click(), write: (field, text) => field.fill(text) }),
  finger: () => ({ press: (target) => target.tap(), write: (field, text) => field.fill(text) }),
  keyboard: (page) => ({
    async press(target) {
      await tabTo(page, target);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await tabTo(page, field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
  }),
} satisfies Record<string, (page: Page) => Hands>;

export type Way = keyof typeof WAYS;

export const handsOf = (page: Page, way: Way): Hands => WAYS[way](page);

/** More tab stops than any screen has. */
const MOST_TABS = 150;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${target}.`);
}
