import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { leaveConsole } from './console/console.ts';
import { type ConsoleGuard, guardConsole } from './console/console-guard.ts';
import { Office } from './console/office.ts';
import { systemUnderTest } from './system.ts';

type Fixtures = {
  /** Lets a test allow console messages that it causes on purpose. Any other fails it. */
  consoleGuard: ConsoleGuard;
  /** The office of a franchise that only this test uses. */
  office: Office;
  /** Another person's window, watched like `page`. */
  openWindow: () => Promise<Page>;
};

let testsOfThisWorker = 0;
/** More than one plays, however often each is repeated. */
const TESTS_OF_A_WORKER = 10_000;

/** A browser test that fails on any console message, page error or CSP violation. */
export const test = base.extend<Fixtures & { serialNumber: number }>({
  serialNumber: async ({ browserName: _ }, use, { workerIndex }) => {
    testsOfThisWorker += 1;
    await use(workerIndex * TESTS_OF_A_WORKER + testsOfThisWorker);
  },
  baseURL: async ({ browserName: _ }, use) => {
    await use(systemUnderTest().portalUrl);
  },
  // Limits count by address and by network, so each test has its own: one test's declines don't limit another.
  extraHTTPHeaders: async ({ serialNumber }, use) => {
    await use({
      'x-forwarded-for': `${10 + (serialNumber >> 16)}.${(serialNumber >> 8) & 255}.${serialNumber & 255}.1`,
    });
  },
  consoleGuard: [
    async ({ context }, use) => {
      const guard = guardConsole();
      guard.watch(context);
      await use(guard);
      await leaveConsole(context);
      expect(guard.complaints(), 'messages on the console').toEqual([]);
    },
    { auto: true },
  ],
  office: async ({ serialNumber }, use) => {
    await use(new Office(systemUnderTest(), 100_000 + serialNumber));
  },
  openWindow: async ({ browser, consoleGuard, extraHTTPHeaders, baseURL, contextOptions }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({
        ...contextOptions,
        ...(extraHTTPHeaders && { extraHTTPHeaders }),
        ...(baseURL && { baseURL }),
      });
      opened.push(context);
      consoleGuard.watch(context);
      return context.newPage();
    });
    for (const context of opened) {
      await leaveConsole(context);
      await context.close();
    }
  },
});

export { expect };
