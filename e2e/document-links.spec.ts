import type { Page } from '@playwright/test';
import { addressOf, importInvoice, openInvoice } from './guest-payment-steps.ts';
import { openDashboard } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Expires the links from this call's first answer on, as on a page that was open too long. */
async function letLinksExpire(page: Page, path: string, { times = 1 } = {}): Promise<void> {
  await page.route(
    `**/api${path}`,
    async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace(/expires=\d+/g, 'expires=1000000000');
      await route.fulfill({ response: answer, body: text });
    },
    { times },
  );
}

/** The status of the answer in the tab that a click opens. */
async function openedBy(page: Page, press: () => Promise<void>): Promise<number> {
  const answered = page
    .context()
    .waitForEvent('response', (response) => response.url().includes('/api/documents/'));
  await press();
  return (await answered).status();
}

test('a guest’s PDF link that has run out is renewed by the click', async ({
  page,
  office,
  consoleGuard,
}) => {
  // From the image, whose link has expired too.
  consoleGuard.allow(/status of 403/);
  const invoice = await importInvoice(office);
  await letLinksExpire(page, '/user/invoice/search');
  await openInvoice(page, invoice);
  const picture = page.getByRole('img', { name: /^Invoice of work order/ });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1216);
  expect(await openedBy(page, () => page.getByRole('link', { name: 'Open PDF' }).click())).toBe(200);
});

test('a customer’s PDF link that has run out is renewed by the click', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice] });
  await letLinksExpire(page, '/user/invoice');
  await page.reload();
  const link = page.getByRole('link', { name: `PDF of work order ${invoice.workOrderNumber}` });
  await expect(link).toHaveAttribute('href', /expires=1000000000/);
  await link.focus();
  expect(await openedBy(page, () => page.keyboard.press('Enter'))).toBe(200);
});

test('a link that cannot be renewed says so, and leaves no empty tab', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of (403|429)/);
  const invoice = await importInvoice(office);
  await letLinksExpire(page, '/user/invoice/search', { times: 2 });
  await openInvoice(page, invoice);
  await expect(page.getByText(/^Unable to load invoice details/)).toBeVisible();
  const headers = { 'retry-after': '120' };
  await page.route('**/api/user/invoice/search', (route) =>
    route.fulfill({ status: 429, headers, json: {} }),
  );
  await page.getByRole('link', { name: 'Open PDF' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Unable to open the PDF. Please try again. Too many tries. Wait 2 minutes, then try again.',
  );
  await expect.poll(() => page.context().pages().length).toBe(1);
});

test('an expired link that is opened directly explains itself', async ({ page, office, consoleGuard }) => {
  consoleGuard.allow(/status of 403/);
  const invoice = await importInvoice(office);
  await page.goto(addressOf(invoice));
  const link = await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href');
  const expired = (link ?? '').replace(/expires=\d+/, 'expires=1000000000');
  await page.goto(expired);
  await expect(heading(page)).toHaveText('This link is no longer good');
  await expectFits(page, 'document-link-expired');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Find your invoice' }).click();
  await expect(page).toHaveURL('/guest-payment');
});
