import { writeFile } from 'node:fs/promises';
import { fillAll, importInvoice, openInvoice } from './guest-payment-steps.ts';
import { importInvoices, openDashboard } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startAnotherPortal } from './support/another-portal.ts';
import { makeAccount, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('the terms are read beside the payment, which keeps what was typed', async ({
  page,
  context,
  office,
}) => {
  await openInvoice(page, await importInvoice(office));
  await fillAll(page);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Read the terms (opens a new tab)' }).click();
  const terms = await opened;
  await expect(terms).toHaveURL('/terms');
  await expect(terms).toHaveTitle('Terms');
  await expect(heading(terms)).toHaveText('Terms');
  await expect(terms.getByText('These are the terms on which you pay')).toBeVisible();
  await expect(terms.getByText(/^Version [0-9a-f]{12}$/)).toBeVisible();
  await expectAccessible(terms);
  await expectFits(terms, 'terms');
  await terms.close();
  await expect(page.getByLabel('First name')).toHaveValue('Zoë');
  await expect(page.getByLabel(/I accept the terms: the work was done/)).toBeChecked();
  await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeEnabled();
});

test('the terms are there for somebody signed in, too', async ({ page, request }) => {
  await signIn(page, await makeAccount(request));
  await page.goto('/terms');
  await expect(page).toHaveURL('/terms');
  await expect(heading(page)).toHaveText('Terms');
});

test('the terms are there again after Back, from a page that was reloaded', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveURL('/');
  await page.reload();
  await page.goBack();
  await expect(page).toHaveURL('/terms');
  await expect(page.getByText('These are the terms on which you pay')).toBeVisible();
});

test('the terms are there after Back while a page reloads, before its scripts run', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(heading(page)).toHaveText('Pay your invoice');
  let letScriptsRun = () => {};
  const hasGoneBack = new Promise<void>((resolve) => {
    letScriptsRun = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await hasGoneBack;
    await route.continue();
  });
  const asksForScripts = page.waitForRequest('**/assets/*.js');
  await page.reload({ waitUntil: 'commit' });
  // Only then has the browser made the new document its active one, and knows a way back.
  await asksForScripts;
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL('/terms');
  letScriptsRun();
  await expect(page.getByText('These are the terms on which you pay')).toBeVisible();
});

test('of work to come nobody has to say that it was done', async ({ page, office }) => {
  await openInvoice(page, await importInvoice(office, { completedDate: '' }));
  const box = page.getByRole('checkbox', { name: /^I accept the terms/ });
  await expect(box).toHaveAccessibleName(/the work is still to be done/);
  await fillAll(page);
  await expect(box).toBeChecked();
  await expectFits(page, 'quick-pay-upcoming');
  await page.getByRole('button', { name: 'Pay $108.25' }).click();
  await expect(page).toHaveURL('/guest-payment/success');
});

test('a list with both kinds of work names both, and other words need a new acceptance', async ({
  page,
  request,
  office,
}) => {
  const done = { locationId: 1, description: 'Home' };
  const toCome = { locationId: 2, description: 'Office', completedDate: '' };
  const invoices = await importInvoices(office, done, toCome);
  await openDashboard(page, request, { invoices, cards: ['4000100011112224'] });
  const box = page.getByRole('checkbox', { name: /^I accept the terms/ });
  await expect(box).toHaveAccessibleName(/was done, work marked Upcoming is still to be done/);
  await box.check();
  await expectFits(page, 'dashboard-terms');
  await page
    .getByRole('navigation', { name: 'Locations' })
    .getByRole('link', { name: /^Office/ })
    .click();
  await expect(box).toHaveAccessibleName(/the work is still to be done/);
  await expect(box).not.toBeChecked();
});

test('a deployment shows terms of its own', async ({ page }, testInfo) => {
  test.slow();
  const file = testInfo.outputPath('terms.txt');
  await writeFile(file, '## Our rules\n\nPay <b>first</b>.\n');
  const portal = await startAnotherPortal({ TERMS_FILE: file });
  try {
    await page.goto(`${portal.url}/terms`);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Our rules');
    await expect(page.getByText('Pay <b>first</b>.')).toBeVisible();
  } finally {
    await portal.stop();
  }
});
