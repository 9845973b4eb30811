import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import axe, { type Result, type RunOptions } from 'axe-core';

export type Scheme = 'light' | 'dark';

export const BOTH_SCHEMES: readonly Scheme[] = ['light', 'dark'];

/** Dark mode changes colors only. The tag brings in a rule that axe leaves out by default: contrast at level AAA. */
const DARK: RunOptions = {
  runOnly: { type: 'tag', values: ['cat.color'] },
  rules: { 'color-contrast-enhanced': { enabled: false } },
};

/**
 * Expects no serious or critical axe finding on the current page in light mode, and for colors also in dark mode. Leaves
 * out the provider's card field, which is the same in every state of a page: see `expectFrameAccessible`.
 */
export async function expectAccessible(page: Page, schemes: readonly Scheme[] = BOTH_SCHEMES): Promise<void> {
  await inEach(page, schemes, (options) => judge(page, options));
}

/** Like `expectAccessible`, with the frames of other origins too: five times the work. */
export async function expectFrameAccessible(page: Page): Promise<void> {
  await inEach(page, BOTH_SCHEMES, async (options) => {
    const { violations } = await new AxeBuilder({ page }).options(options).analyze();
    return violations;
  });
}

async function inEach(
  page: Page,
  schemes: readonly Scheme[],
  look: (options: RunOptions) => Promise<Result[]>,
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const violations = await look({ resultTypes: ['violations'], ...(colorScheme === 'dark' && DARK) });
    const findings = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
    expect(findings, `axe on ${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Loads axe once per document; loading costs as much as a look. */
async function judge(page: Page, options: RunOptions): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async (given) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
      return violations;
    },
    { ...options, iframes: false },
  );
}
