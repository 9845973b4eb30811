import { type Browser, expect as expectValue, type Locator, type Page } from '@playwright/test';
import { openDashboard } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { handsOf } from './support/hands.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

// Payments are listed by the browser's year, which must be the office's and must not end meanwhile.
const ZONE = zoneByDay();
test.use({ timezoneId: ZONE });

const region = (page: Page, name: string) => page.getByRole('region', { name });

/** A screen opened by a key: its heading takes the focus, and a key pressed earlier would be lost. */
async function expectArrived(page: Page, name: string | RegExp): Promise<void> {
  await expect(heading(page)).toHaveText(name);
  await expect(heading(page)).toBeFocused();
}

/** The outcome in a region, which the focus has moved to. */
async function expectOutcome(place: Locator, text: string): Promise<void> {
  await expect(place.getByRole('status')).toHaveText(text);
  await expect(place.getByRole('status')).toBeFocused();
}

/** That many invoices at one location, all paid to the office. */
async function importPaid(office: Office, count: number): Promise<InvoiceRow> {
  const rows = Array.from({ length: count }, (_, index) => ({
    locationId: 1,
    description: 'Home',
    timeZone: ZONE,
    workOrderNumber: office.franchiseId * 1_000 + 500 + index,
    paidElsewhere: 108.25,
  }));
  const [first] = await office.importInvoices(...rows);
  return first as InvoiceRow;
}

test('the account is looked after with the keyboard alone', async ({ page, request }) => {
  test.slow();
  const person = await openDashboard(page, request);
  const keys = handsOf(page, 'keyboard');
  const entries = page.getByRole('navigation', { name: 'Portal' }).locator('a, button');
  await expect(entries).toHaveText([
    'Invoices',
    'Add Location',
    'Payment Methods',
    'Payments',
    'Account',
    'Log out',
  ]);
  await keys.press(entries.filter({ hasText: 'Account' }));
  await expectArrived(page, 'Account');

  const details = region(page, 'Your details');
  await keys.write(details.getByLabel('First name'), 'Ana');
  await keys.press(details.getByRole('button', { name: 'Save details' }));
  await expectOutcome(details, 'Details saved');

  const data = region(page, 'Your data');
  await keys.write(data.getByLabel('Current password'), person.password);
  const downloading = page.waitForEvent('download');
  await keys.press(data.getByRole('button', { name: 'Download my data' }));
  await downloading;
  await expectOutcome(data, 'Your download has started.');

  await keys.press(page.getByRole('button', { name: 'Close my account' }));
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Close my account' })).toBeFocused();
});

test('payments, a receipt and the statement are reached with the keyboard alone', async ({
  page,
  request,
  office,
}) => {
  const first = await importPaid(office, 2);
  await openDashboard(page, request, { invoices: [first] });
  const keys = handsOf(page, 'keyboard');
  await keys.press(page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Payments' }));
  await expectArrived(page, 'Payments');
  await keys.press(page.getByRole('link', { name: 'Statement' }));
  await expectArrived(page, /^Statement \d{4}$/);
  const downloading = page.waitForEvent('download');
  await keys.press(page.getByRole('link', { name: 'Download CSV' }));
  await downloading;
  await keys.press(page.getByRole('link', { name: 'All payments' }));
  await expect(heading(page)).toHaveText('Payments');
});

/** A window of this width at 200 % zoom: half the CSS pixels at twice the density. */
async function openZoomed(browser: Browser, page: Page, width: number): Promise<Page> {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    viewport: { width: width / 2, height: 450 },
    deviceScaleFactor: 2,
    storageState,
  });
  return context.newPage();
}

test('at 200 % nothing is lost, and 200 payments are read at every width', async ({
  page,
  request,
  office,
  browser,
}) => {
  test.slow();
  const first = await importPaid(office, 200);
  await openDashboard(page, request, { invoices: [first] });

  await page.goto('/payments');
  const listed = page.getByRole('row', { name: 'Paid to your office' });
  for (let shown = 50; shown < 200; shown += 50) {
    await expect(listed).toHaveCount(shown);
    await page.getByRole('button', { name: 'Show more payments' }).click();
  }
  await expect(listed).toHaveCount(200);
  await expectReadable(page, 'payments-200');

  await page.goto('/payments?view=statement');
  await expect(page.getByRole('row', { name: 'Paid to your office' })).toHaveCount(200);
  await expectReadable(page, 'statement-200');
  await page.setViewportSize({ width: 320, height: 780 });
  expectValue(await overlappingCells(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 780 });
  for (const [path, name] of SCREENS) {
    await page.goto(path);
    await expect(heading(page)).toHaveText(name);
    expectValue(await smallTargets(page), path).toEqual([]);
  }

  const zoomed = await openZoomed(browser, page, 1280);
  for (const [path, name] of SCREENS) {
    await zoomed.goto(path);
    await expect(heading(zoomed)).toHaveText(name);
    await expectFits(zoomed, `zoomed${path.replaceAll(/\W/g, '-')}`, [640]);
    await expectAccessible(zoomed);
    expectValue(await clippedSections(zoomed)).toEqual([]);
  }
  await zoomed.context().close();
});

const SCREENS: [path: string, title: string | RegExp][] = [
  ['/account', 'Account'],
  ['/payments', 'Payments'],
  ['/payments?view=statement', /^Statement/],
];

/** What a finger would miss: less than 44 pixels high, and no link in the midst of a sentence. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        ':is(nav, footer) :is(a, button), main :is(a, button, select, input)',
      ),
    ]
      .filter((target) => target.checkVisibility() && !target.closest('p'))
      .filter((target) => target.getBoundingClientRect().height < 44)
      .map((target) => `${target.tagName} ${target.textContent || target.getAttribute('name')}`),
  );

/** Cells whose text lies across the next one. */
const overlappingCells = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('td')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  );

const expectReadable = (page: Page, name: string) =>
  expectGoodScreen(page, name, async () => expectValue(await clippedSections(page)).toEqual([]));

/** Parts of the page that hide content behind their own scroll bar. */
const clippedSections = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main section')]
      .filter((section) => section.scrollWidth > section.clientWidth)
      .map((section) => section.getAttribute('aria-label')),
  );
