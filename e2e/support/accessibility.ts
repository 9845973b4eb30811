import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** No serious or critical finding of axe on the page as it is now, in light and, for its colours, in dark. */
export async function expectAccessible(
  page: Page,
  schemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // A page without frames is judged in one go, at a fifth of the work.
    const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
    // By its tag a rule comes that axe leaves out by itself: contrast at level AAA.
    if (colorScheme === 'dark') axe.withTags('cat.color').disableRules('color-contrast-enhanced');
    const { violations } = await axe.analyze();
    const findings = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
    expect(findings, `axe on ${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
