import type { Page } from '@playwright/test';
import { choose as chooseFile, fileOf } from './import-steps.ts';
import { plantRefund } from './planted-refunds.ts';
import { payByCall } from './portal-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { Office } from './support/console/office.ts';
import { enrolStaff, openScreen } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';
import { translatePage } from './translation-steps.ts';

/** An office that hasn't sent a file yet. */
async function openOffice(franchiseId: number): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `INSERT INTO franchise (id, name, time_zone) VALUES ($1, 'New Windows', 'America/Chicago')`,
      [franchiseId],
    ),
  );
}

async function expectNothingAt(page: Page, [path, title, words]: readonly [string, string, string]) {
  await openScreen(page, path, title);
  await expect(page.getByText(words)).toBeVisible();
}

test('empty lists tell a new office what they will show, and what to do first', async ({ page, office }) => {
  await openOffice(office.franchiseId);
  await enrolStaff(page, office, { role: 'owner' });
  const places = [
    ['/office/payments', 'Payments', 'No payments yet. They appear here as customers pay.'],
    ['/office/customers', 'Customers', 'No customers yet.'],
    ['/office/refunds', 'Refunds', 'No refunds yet.'],
    ['/office/settings/staff', 'Staff', 'Only you so far.'],
  ] as const;
  for (const place of places) await expectNothingAt(page, place);
  await expectNothingAt(page, ['/office/invoices', 'Invoices', 'No invoices yet.']);
  await expectGood(page, 'invoices-none');
  await page.getByRole('link', { name: 'Import invoices' }).click();
  await expect(heading(page)).toHaveText('Import invoices');
  await expect(page.getByText('No file was imported yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose a file' }).first()).toBeVisible();
});

test('on a page that the browser translates, the folded filters say how many are set', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await enrolStaff(page, office);
  await page.setViewportSize({ width: 390, height: 780 });
  await openScreen(page, '/office/invoices', 'Invoices');
  await page.getByRole('button', { name: 'Filters' }).click();
  await translatePage(page);
  const fold = page.locator('.list-filters-fold');
  await page.getByLabel('Status').selectOption({ index: 1 });
  await expect(fold).toHaveText('Filters (1)');
  await page.getByLabel('From').fill('2026-01-31');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(fold).toHaveText('Filters (2)');
  await page.getByLabel('From').fill('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(fold).toHaveText('Filters (1)');
  await page.getByLabel('Status').selectOption({ index: 0 });
  await expect(fold).toHaveText('Filters');
});

test('a day that is typed applies once it is whole: with Enter, or when the filters are left', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  const list = `/office/invoices?franchiseId=${office.franchiseId}`;
  await openScreen(page, `${list}&from=2026-11-01`, 'Invoices');
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  let loads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/office/invoices') loads++;
  });
  const [from, to] = [page.getByLabel('From'), page.getByLabel('To')];
  await from.focus();
  await page.keyboard.type('12252025');
  await expect(from).toHaveValue('2025-12-25');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${list}&from=2025-12-25`);
  await expect(page.getByText('Loading…')).toHaveCount(0);
  expect(loads).toBe(1);

  // A part of a day is none: what is left of it stays, and the filter too.
  await page.keyboard.press('Backspace');
  await expect(from).toHaveValue('');
  await page.getByLabel('Status').selectOption('Open');
  await expect(page).toHaveURL(/status=open/);
  await expect(page).toHaveURL(/from=2025-12-25/);
  await expect(page.getByText('Loading…')).toHaveCount(0);
  loads = 1;
  await from.fill('2024-12-25');
  await to.fill('2026-11-30');
  await expect(page).toHaveURL(/from=2025-12-25/);
  expect(loads).toBe(1);
  await heading(page).click();
  await expect(page).toHaveURL(/from=2024-12-25/);
  await expect(page).toHaveURL(/to=2026-11-30/);

  // Applied again as they are, they add no step for Back. Safari applies twice: at the press of Apply the filters are left.
  const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/office/invoices');
  await page.getByRole('button', { name: 'Apply' }).click();
  await again;
  await page.goBack();
  await expect(page).toHaveURL(/from=2025-12-25/);
});

test('a link to a page further down goes on from there both ways, also for who was sent it', async ({
  page,
  office,
  openWindow,
}) => {
  const rows = Array.from({ length: 120 }, () => ({}));
  await office.importInvoices(...rows);
  const { email, password, app } = await enrolStaff(page, office);
  const firstOf = (window: Page) => window.getByRole('rowheader').first().textContent();
  await openScreen(page, '/office/invoices', 'Invoices');
  const pages = [await firstOf(page)];
  for (const cursors of [1, 2]) {
    await page.getByRole('link', { name: 'Older' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.getAll('newer').length).toBe(cursors - 1);
    await expect.poll(async () => pages.includes(await firstOf(page))).toBe(false);
    pages.push(await firstOf(page));
  }

  const other = await openWindow();
  await other.goto(page.url());
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password').fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByLabel('Code').fill(app.nextCode());
  await expect.poll(() => firstOf(other)).toBe(pages[2]);
  for (const before of [pages[1], pages[0]]) {
    await other.getByRole('link', { name: 'Newer' }).click();
    await expect.poll(() => firstOf(other)).toBe(before);
  }
  await expect(other.getByRole('link', { name: 'Newer' })).toBeHidden();
  await expect(heading(other)).toBeFocused();
});

test('a link with a filter that cannot be read says so under it, and has a way on', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  const franchise = `franchiseId=${office.franchiseId}`;
  for (const [list, title, field, filter, words] of [
    ['payments', 'Payments', 'At least', 'minAmount=a+lot', /dollars such as/],
    ['refunds', 'Refunds', 'From', 'from=2026-13-01', /date such as/],
    ['invoices', 'Invoices', 'Status', 'status=lost', /./],
    ['audit', 'Audit', 'From', 'from=soon', /date such as/],
    ['customers', 'Customers', 'Search', `search=${'x'.repeat(101)}`, /at most 100 characters/],
  ] as const) {
    await openScreen(page, `/office/${list}?${franchise}&${filter}`, title);
    await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(words);
    await expect(page.getByText('Nothing can be shown with these filters.')).toBeVisible();
    if (list === 'payments') await expectGood(page, 'list-refused');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page.getByText('Nothing can be shown with these filters.')).toBeHidden();
    await expect(page).toHaveURL(`/office/${list}?${franchise}`);
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  }
});

test('a link to a page that does not exist leads to the first one', async ({ page, office }) => {
  await office.importInvoices({});
  await openConsole(page);
  const filters = `franchiseId=${office.franchiseId}&status=open`;
  await openScreen(page, `/office/invoices?${filters}&cursor=nowhere`, 'Invoices');
  await expect(page.getByRole('alert')).toContainText('Load the list again.');
  await page.getByRole('link', { name: 'First page' }).click();
  await expect(page).toHaveURL(`/office/invoices?${filters}`);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a link to an office that one does not see says so, and leads to one’s own', async ({
  page,
  office,
}) => {
  await openOffice(office.franchiseId);
  await enrolStaff(page, office, { role: 'owner' });
  const unseen = office.franchiseId + 500_000;
  const note = page.getByText(`You cannot see franchise ${unseen}.`);
  const select = page.getByRole('combobox', { name: 'Franchise' });
  for (const [path, title] of [
    ['/office/payments', 'Payments'],
    ['/office/refunds', 'Refunds'],
  ] as const) {
    await openScreen(page, `${path}?franchiseId=${unseen}`, title);
    await expect(note).toBeVisible();
    await expect(page.getByText('Nothing matches.')).toBeVisible();
    await expect(select.locator('option:checked')).toHaveText(`${unseen} (not yours)`);
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeHidden();
  }
  await expect(page.getByText(/^No refunds yet/)).toBeHidden();
  await expectGood(page, 'franchise-not-seen');
  await page.getByRole('link', { name: 'Show yours' }).click();
  await expect(page.getByText('No refunds yet.')).toBeVisible();
  await expect(note).toBeHidden();
  await expect(select.locator('option:checked')).toHaveText(`${office.franchiseId} New Windows`);

  // A screen about one office has nothing to show, so the frame stays with the way out.
  await page.goto(`/office/settings/franchise?franchiseId=${unseen}`);
  await expect(note).toBeVisible();
  await page.getByRole('link', { name: 'Show yours' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('New Windows');
});

test('an office that came after one signed in is not called unseen', async ({ page, office }) => {
  await openConsole(page);
  await openOffice(office.franchiseId);
  await office.send('PUT', `/office/franchises/${office.franchiseId}`, { phone: '312-555-0100' });
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('link', { name: `franchise ${office.franchiseId}` }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('New Windows');
  await expect(page.getByRole('combobox', { name: 'Franchise' }).locator('option:checked')).toHaveText(
    `${office.franchiseId} New Windows`,
  );
  await expect(page.getByText('You cannot see franchise')).toBeHidden();
});

test('rows of several offices say whose they are, until one office is chosen', async ({
  page,
  office,
  request,
}) => {
  const second = new Office(systemUnderTest(), office.franchiseId + 500_000);
  const workOrderNumber = office.franchiseId;
  const franchiseName = 'Bright Harbor Window Washing';
  const [one] = await office.importInvoices({ workOrderNumber, customerName: 'Quentin Alvarez-Whitfield' });
  const [two] = await second.importInvoices({
    workOrderNumber,
    franchiseName,
    timeZone: 'America/Los_Angeles',
  });
  for (const invoice of [one, two]) await payByCall(request, invoice);
  for (const own of [office, second]) await plantRefund(own);
  await enrolStaff(page, office, { role: 'owner', also: [second] });
  for (const [list, title, state] of LISTS) {
    await openScreen(page, `/office/${list}`, title);
    await expect(page.getByRole('rowheader')).toHaveCount(2);
    await expect(page.getByRole('cell', { name: franchiseName })).toHaveCount(1);
    await expect(page.getByRole('cell', { name: 'Clearwater Windows' })).toHaveCount(1);
    await expectGood(page, state);
    await expectAllColumns(page);
    await openScreen(page, `/office/${list}?franchiseId=${second.franchiseId}`, title);
    await expect(page.getByRole('rowheader')).toHaveCount(1);
    await expect(page.getByRole('columnheader', { name: 'Franchise' })).toHaveCount(0);
  }

  // As does what a file of both changes.
  await openScreen(page, '/office/import', 'Import invoices');
  const [cheaper, dearer] = [
    { ...one, amount: 88.25 },
    { ...two, amount: 128.25 },
  ];
  await chooseFile(page, fileOf([cheaper, dearer]));
  await expect(page.getByText(`Work order ${workOrderNumber} of Clearwater Windows by $20.00`)).toBeVisible();
  await page.getByText('The 2 largest changes, field by field').click();
  await expect(
    page.getByRole('table', { name: `Work order ${workOrderNumber} of ${franchiseName}, updated, line 3` }),
  ).toBeVisible();
  await expectGood(page, 'import-checked-of-several');
});

/** At a desk, no column has to be scrolled to. */
async function expectAllColumns(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const outOfSight = () =>
    page.locator('.list-rows').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(outOfSight, { message: 'pixels of the rows that are out of sight' }).toBe(0);
}

const LISTS = [
  ['payments', 'Payments', 'payments-of-several'],
  ['invoices', 'Invoices', 'invoices-of-several'],
  ['customers', 'Customers', 'customers-of-several'],
  ['refunds', 'Refunds', 'refunds-of-several'],
] as const;
