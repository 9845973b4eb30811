import { test as base, expect } from '@playwright/test';
import { Office } from '../support/console/office.ts';
import { systemUnderTest } from '../support/system.ts';
import { startWebKit } from './start-webkit.ts';
import { WebKitPage } from './webkit-page.ts';

let franchises = 0;

/** A test in WebKit, with a franchise of its own. */
export const test = base.extend<{ webkit: WebKitPage; office: Office }>({
  baseURL: async ({ browserName: _ }, use) => {
    await use(systemUnderTest().portalUrl);
  },
  office: async ({ browserName: _ }, use) => {
    franchises += 1;
    await use(new Office(systemUnderTest(), 1_000 + franchises));
  },
  webkit: async ({ baseURL }, use, journey) => {
    const { driver, stop } = await startWebKit(journey.outputPath());
    try {
      await use(new WebKitPage(driver, baseURL ?? ''));
    } finally {
      await driver.quit().catch(() => {});
      await stop();
    }
  },
});

export { expect };
