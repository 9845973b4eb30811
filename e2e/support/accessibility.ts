import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Expects no serious or critical axe finding on the current page in light mode, and for colors also in dark mode. */
export async function expectAccessible(
  page: Page,
  schemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // A page without frames can be checked in one go, at a fifth of the work.
    const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
    // The tag brings in a rule that axe leaves out by default: contrast at level AAA.
    if (colorScheme === 'dark') axe.withTags('cat.color').disableRules('color-contrast-enhanced');
    const { violations } = await axe.analyze();
    const findings = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
    expect(findings, `axe on ${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
