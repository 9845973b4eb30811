import type { Page } from '@playwright/test';
import { type AnotherPortal, startAnotherPortal } from './support/another-portal.ts';
import { type ReceivedEvent, ReportReceiver, textOf } from './support/report-receiver.ts';
import { test as base, expect } from './support/test.ts';

/** A test with its own portal that reports to `receiver`. */
export const test = base.extend<
  { receiver: ReportReceiver },
  { reporting: { receiver: ReportReceiver; portal: AnotherPortal } }
>({
  reporting: [
    async ({ browserName: _ }, use) => {
      const receiver = await new ReportReceiver().start();
      const portal = await startAnotherPortal({ SENTRY_DSN: receiver.dsn });
      await use({ receiver, portal });
      await portal.stop();
      await receiver.stop();
    },
    // Starting a portal on a busy machine takes long.
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ reporting }, use) => use(reporting.portal.url),
  receiver: async ({ reporting }, use) => {
    reporting.receiver.forget();
    await use(reporting.receiver);
  },
});

export { expect };

/** Waits until a report with this text has arrived, and returns all that have. */
export async function reportsOf(receiver: ReportReceiver, text: string): Promise<ReceivedEvent[]> {
  const found = () => receiver.events.filter((event) => textOf(event) === text);
  await expect.poll(() => found().length, { message: `a report "${text}"` }).toBeGreaterThan(0);
  return found();
}

/** Throws an uncaught error on the page. */
export async function throwOn(page: Page, message: string): Promise<void> {
  await page.evaluate(
    (text) =>
      void setTimeout(() => {
        throw new Error(text);
      }),
    message,
  );
}

/** Makes the page send what it holds, as when it is hidden. */
export async function putAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  });
}
