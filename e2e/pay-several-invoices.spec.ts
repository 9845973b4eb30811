import type { Locator, Page, Route } from '@playwright/test';
import { addCard, fillNewCard, letCardsExpire, loseKeyOfCards, pressAdd } from './card-steps.ts';
import { acceptTerms, expectCaptured, expectRefused, GOOD_CARD, holdPayment } from './guest-payment-steps.ts';
import {
  choose,
  giveMerchantAccount,
  holdCall,
  importInvoices,
  openDashboard,
  payButton,
  workOrder,
} from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { type InvoiceRow, Office } from './support/console/office.ts';
import { scriptFault } from './support/emulator.ts';
import { mailsTo, readMail } from './support/mailbox.ts';
import { callPortal, fillSignIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

const MASTERCARD = '5555444433332226';
const DECLINE = { result_code: 'D', result: 'Declined', error: 'Insufficient funds', error_code: 10251 };
const HOME = { locationId: 1, description: 'Home' };
const WORK = { locationId: 2, description: 'Work', addressLine1: '3 Congress Avenue' };

const card = (page: Page) => page.getByLabel('Payment method');
const terms = (page: Page) => page.getByLabel(/I accept the terms/);
const line = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=..');

/** Another franchise with its own merchant account. */
async function secondOffice(office: Office, merchant: string): Promise<Office> {
  const second = new Office(systemUnderTest(), office.franchiseId + 500_000);
  await second.importInvoices({ franchiseName: 'Bright Harbor', locationId: 9, paidElsewhere: 108.25 });
  await giveMerchantAccount(second, merchant);
  return second;
}

async function importForBoth(office: Office, merchant: string): Promise<[InvoiceRow, InvoiceRow]> {
  const second = await secondOffice(office, merchant);
  const [one] = await importInvoices(office, HOME);
  const [two] = await importInvoices(second, {
    ...WORK,
    franchiseName: 'Bright Harbor',
    amount: 50,
    salesTaxAmount: 0,
    salesTaxRate: 0,
  });
  return [one as InvoiceRow, two as InvoiceRow];
}

/** Seen at every width: at least a line of text high, and whole in the window. */
async function expectReadable(page: Page, text: Locator): Promise<void> {
  const before = page.viewportSize();
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    const height = async () => (await text.boundingBox())?.height;
    await expect.poll(height, { message: `pixels at ${width}` }).toBeGreaterThan(14);
    await expect(text).toBeInViewport({ ratio: 1 });
  }
  if (before) await page.setViewportSize(before);
}

async function expectPaid(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeFocused();
  await expect(page).toHaveURL('/invoices');
}

test('several invoices of two franchises are paid at once, each by its own merchant account', async ({
  page,
  request,
  office,
}) => {
  const [one, two] = await importForBoth(office, 'north');
  const [three] = (await importInvoices(office, { ...HOME, tipsEnabled: false })) as [InvoiceRow];
  const customer = await openDashboard(page, request, { invoices: [one, two], cards: [GOOD_CARD] });

  await choose(page, one, two);
  await workOrder(page, one).getByRole('button', { name: '15%' }).click();
  await workOrder(page, two).getByRole('button', { name: 'Add services' }).click();
  await workOrder(page, two).getByLabel('Additional services amount').fill('-12.5');
  await workOrder(page, two).getByLabel('Note').fill('One <b>window</b> less 🪟');
  await expect(line(page, '2 invoices')).toContainText('$150.00');
  await expectReadable(page, page.getByText('Your card is charged in 2 parts that add up to this amount.'));
  await expect(line(page, 'Additional services').last()).toContainText('-$12.50');
  await expect(line(page, 'Subtotal')).toContainText('$137.50');
  await expect(line(page, 'Tax')).toContainText('$8.25');
  await expect(line(page, 'Tip').last()).toContainText('$15.00');
  await expect(line(page, 'Total').last().locator('[aria-live=polite]')).toHaveText('$160.75');
  await expect(card(page)).toHaveValue(/.+/);
  await expect(page.getByLabel('Send me a receipt')).toBeChecked();
  await acceptTerms(page);
  await payButton(page, '$160.75').click();

  await expectPaid(page);
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText(
    'You paid $160.75 for 2 invoices of Clearwater Windows and Bright Harbor.',
  );
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText(customer.email);
  await expect(workOrder(page, one)).toHaveCount(0);
  await expect(workOrder(page, two)).toHaveCount(0);
  await expect(workOrder(page, three)).toBeVisible();
  await expect(payButton(page)).toHaveText('Pay $0.00');
  await expect(page.getByText('Select the invoices to pay.')).toBeVisible();
  await expect(page.getByRole('complementary')).toContainText('$108.25');
  await lookAt(page, 'dashboard-paid');

  await test.step('the receipt names what each merchant account charged to the card', async () => {
    await page.getByRole('link', { name: 'See receipt' }).click();
    await expect(heading(page)).toHaveText('Receipt');
    const charges = page.getByRole('term').filter({ hasText: /^Reference \d+$/ });
    await expect(charges.locator('xpath=following-sibling::dd')).toHaveText(['$123.25', '$37.50']);
    await lookAt(page, 'receipt-of-two-accounts');
    await page.goBack();
    await expect(page).toHaveURL('/invoices');
  });

  const receipt = await readMail({ to: customer.email, subject: 'Receipt' });
  for (const text of [
    `${one.workOrderNumber}`,
    `${two.workOrderNumber}`,
    '$160.75',
    'One <b>window</b> less 🪟',
  ]) {
    expect(receipt.text).toContain(text);
  }
  await expectCaptured(one, ['123.25']);
  await expectCaptured(two, ['37.50']);

  await page.reload();
  await expect(page.getByText('Payment successful!')).toHaveCount(0);
  await page.getByRole('link', { name: /^Work/ }).click();
  await expect(page.getByRole('region', { name: 'Payment history' })).toContainText('$37.50');
});

test('a decline at one franchise pays nothing, names it, and keeps what was typed', async ({
  page,
  request,
  office,
}) => {
  const [one, two] = await importForBoth(office, 'east');
  await openDashboard(page, request, { invoices: [one, two], cards: [GOOD_CARD] });
  await scriptFault({
    fault: 'wrong',
    when: 'before',
    command: 'cc:authonly',
    invoice: `${two.workOrderNumber}`,
    answer: DECLINE,
  });
  await page.getByLabel('Select all invoices').check();
  await workOrder(page, one).getByRole('button', { name: 'Custom' }).click();
  await workOrder(page, one).getByLabel('Custom tip amount').fill('3.5');
  await acceptTerms(page);
  await payButton(page, '$161.75').click();
  await expectRefused(
    page,
    /^Bright Harbor: .+ Your card was not charged\. A pending amount at your bank disappears by itself\.$/,
  );
  await expect(workOrder(page, one).getByLabel('Custom tip amount')).toHaveValue('3.5');
  await expect(terms(page)).toBeChecked();
  await lookAt(page, 'dashboard-declined');
  await payButton(page, '$161.75').click();
  await expectPaid(page);
  await expectCaptured(one, ['111.75']);
  await expectCaptured(two, ['50.00']);
});

test('a decline is seen whole above the bar, however long the list is', async ({ page, request, office }) => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...HOME,
    franchiseName: 'Bright Harbor Window Cleaning of the Greater Metropolitan Area',
    service: 'Windows of every floor '.repeat(1 + (index % 4)).trim(),
  }));
  const invoices = await importInvoices(office, ...rows);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await scriptFault({
      fault: 'wrong',
      when: 'before',
      command: 'cc:authonly',
      invoice: `${one.workOrderNumber}`,
      answer: DECLINE,
    });
    await choose(page, one);
    await acceptTerms(page);
    // Only what has been in view has its real height.
    await page.reload();
    await expect(payButton(page)).toBeEnabled();
    await page.evaluate(() => window.scrollTo(0, 0));
    await payButton(page).click();
    await expectRefused(page, /Your card was not charged/);
    const isWhole = async () => {
      const alert = await page.getByRole('alert').boundingBox();
      const bar = await page.locator('.pay-bar').boundingBox();
      return alert && bar && alert.y >= 0 && alert.y + alert.height <= bar.y;
    };
    await expect.poll(isWhole, { message: `at ${width}` }).toBe(true);
  }
});

test('a payment whose answer is lost is not made twice', async ({ page, request, office, consoleGuard }) => {
  consoleGuard.allow(/ERR_FAILED|Unable to pay invoices/);
  const invoices = await importInvoices(office, HOME);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  await page.route('**/usaepay/customerportalsale', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await payButton(page, '$108.25').click();
  await expectRefused(
    page,
    'Something went wrong. Please try again. Press Pay again to check; you will not be charged twice.',
  );
  await page.unroute('**/usaepay/customerportalsale');
  await payButton(page, '$108.25').click();
  await expectPaid(page);
  await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
  await expectCaptured(one, ['108.25']);
});

test.describe('a lost answer, of which an invoice was raised meanwhile, is shown without its tip and services', () => {
  test.beforeEach(({ consoleGuard }) => consoleGuard.allow(/ERR_FAILED|Unable to pay invoices/));

  /** Adds a tip and services to the invoice, pays everything, and loses the answer. */
  async function loseAnswer(page: Page, one: InvoiceRow, total: string): Promise<void> {
    await page.getByLabel('Select all invoices').check();
    await workOrder(page, one).getByRole('button', { name: '20%' }).click();
    await workOrder(page, one).getByRole('button', { name: 'Add services' }).click();
    await workOrder(page, one).getByLabel('Additional services amount').fill('30');
    await workOrder(page, one).getByLabel('Note').fill('Gutters');
    await acceptTerms(page);
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/usaepay/customerportalsale', lose, { times: 1 });
    await payButton(page, total).click();
    await expectRefused(page, /Press Pay again to check/);
  }

  const expectNoServices = (page: Page, one: InvoiceRow) =>
    expect(workOrder(page, one).getByLabel('Additional services amount')).toHaveValue('');

  test('and Pay tells of it', async ({ page, request, office }) => {
    const [one] = (await importInvoices(office, {})) as [InvoiceRow];
    await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
    await loseAnswer(page, one, '$160.73');
    await office.importInvoices({ ...one, amount: 158.25 });
    await page.reload();
    await payButton(page, '$102.48').click();
    await expectRefused(
      page,
      /^You paid \$160\.73 earlier \(reference \d+\)\. \$50\.00 is still due\. Press Pay again to pay it\.$/,
    );
    await expectNoServices(page, one);
    await lookAt(page, 'dashboard-paid-earlier');
    await payButton(page, '$50.00').click();
    await expectPaid(page);
    await expectCaptured(one, ['160.73', '50.00']);
  });

  test('and of another that is paid, which has left the list', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, {}, {});
    const [one, two] = invoices as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await loseAnswer(page, one, '$268.98');
    await office.importInvoices({ ...one, amount: 158.25 });
    await page.reload();
    await expect(workOrder(page, one)).toContainText('$160.73 paid so far');
    await expect(workOrder(page, two)).toHaveCount(0);
    await expectNoServices(page, one);
    await payButton(page, '$50.00').click();
    await expectPaid(page);
    await expectCaptured(one, ['50.00']);
  });
});

test('retries a lost answer under the same key, even after a reload', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to pay invoices/);
  const invoices = await importInvoices(office, HOME);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  const keys: (string | undefined)[] = [];
  await page.route('**/usaepay/customerportalsale', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length < 3) await route.abort();
    else await route.continue();
  });
  await payButton(page, '$108.25').click();
  await expectRefused(page, /Press Pay again to check/);
  await payButton(page, '$108.25').click();
  await expect.poll(() => keys.length).toBe(2);
  await expectRefused(page, /Press Pay again to check/);
  await page.reload();
  await payButton(page, '$108.25').click();
  await expectPaid(page);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
});

test('the same outcome once more, at once, takes the focus once more', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/Unable to pay invoices/);
  const invoices = await importInvoices(office, HOME);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  // Fails faster than any network: before the screen shows that a payment is under way.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  });
  await payButton(page, '$108.25').click();
  await expectRefused(page, /Press Pay again to check/);
  await payButton(page, '$108.25').click();
  await expectRefused(page, /Press Pay again to check/);
});

test('lists that do not load after a payment can be asked for again by keyboard, and each failure is said', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 503|Unable to load/);
  const [invoice] = (await importInvoices(office, HOME)) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
  await choose(page, invoice);
  await terms(page).check();
  let wait = 5;
  await page.route('**/api/user/invoice', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': `${wait}` }, json: { detail: 'Not now.' } }),
  );
  await payButton(page).click();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('Wait 5 seconds');
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('$108.25');
  await expectAccessible(page);
  wait = 6;
  const again = page.getByRole('button', { name: 'Try again' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(failure).toContainText('Wait 6 seconds');
  await expect(failure).toBeFocused();
  await page.unroute('**/api/user/invoice');
  const call = await holdCall(page, '**/api/user/invoice', 'GET');
  await again.focus();
  await page.keyboard.press('Enter');
  await call.asked;
  await expect(again).toBeFocused();
  call.goOn();
  await expect(page.getByText('Nothing is due')).toBeVisible();
});

test('an amount that changed since it was shown is not paid unseen', async ({ page, request, office }) => {
  const invoices = await importInvoices(office, HOME);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await choose(page, one);
  await workOrder(page, one).getByRole('button', { name: '15%' }).click();
  await acceptTerms(page);
  await office.importInvoices({ ...one, amount: 120.25, salesTaxAmount: 9.25 });
  await payButton(page, '$123.25').click();
  await expectRefused(
    page,
    `Unable to complete payment: Work order ${one.workOrderNumber} has changed: $120.25 is due now. Please check it and try again.`,
  );
  await payButton(page, '$135.25').click();
  await expectPaid(page);
  await expectCaptured(one, ['135.25']);
});

test('an invoice that is gone meanwhile is said to be', async ({ page, request, office, context }) => {
  const invoices = await importInvoices(office, HOME, WORK);
  const [one, two] = invoices as [InvoiceRow, InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await page.getByLabel('Select all invoices').check();
  await acceptTerms(page);
  const other = await context.newPage();
  await other.goto('/invoices');
  await other.getByRole('link', { name: /^Work/ }).click();
  await other.getByRole('button', { name: 'Remove location' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Remove location' }).click();
  await expect(other).toHaveURL('/invoices');
  await payButton(page, '$216.50').click();
  await expectRefused(page, 'Invoice not found. Please check your information and try again.');
  await expect(workOrder(page, two)).toHaveCount(0);
  await payButton(page, '$108.25').click();
  await expectPaid(page);
  await expectCaptured(one, ['108.25']);
});

test('tells a second tab that the invoice is paid', async ({ page, request, office, context }) => {
  const invoices = await importInvoices(office, HOME, WORK);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  const other = await context.newPage();
  await other.goto('/invoices');
  for (const tab of [page, other]) {
    await choose(tab, one);
    await acceptTerms(tab);
  }
  // The first payment is held up until the second tab was told of it, however slow the machine is.
  const held = await holdPayment(one);
  await payButton(page, '$108.25').click();
  await held.claimed();
  await payButton(other, '$108.25').click();
  await expectRefused(
    other,
    `Unable to complete payment: A payment for work order ${one.workOrderNumber} is already in progress.`,
  );
  await held.goOn();
  await expectPaid(page);
  await payButton(other, '$108.25').click();
  await expectRefused(other, `Work order ${one.workOrderNumber} is already paid.`);
  await expect(workOrder(other, one)).toHaveCount(0);
  await expectCaptured(one, ['108.25']);
});

test('shows a server error without its details', async ({ page, request, office, consoleGuard }) => {
  consoleGuard.allow(/status of 500|Unable to pay invoices/);
  const invoices = await importInvoices(office, HOME);
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await page.getByLabel('Select all invoices').check();
  await acceptTerms(page);
  const address = '**/usaepay/customerportalsale';
  for (const { status, json, message } of [
    { status: 500, json: { detail: 'secret' }, message: 'Something went wrong. Please try again.' },
    { status: 404, json: {}, message: 'Unable to pay invoices. Please try again.' },
  ]) {
    await page.route(address, (route) => route.fulfill({ status, json }));
    await payButton(page, '$108.25').click();
    await expectRefused(page, message);
    await page.unroute(address);
  }
});

test.describe('Pay', () => {
  test('waits for an invoice, a card and the terms', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME);
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD, MASTERCARD] });
    const all = page.getByLabel('Select all invoices');
    await expect(payButton(page, '$0.00')).toBeDisabled();
    await all.check();
    await expect(payButton(page, '$108.25')).toBeDisabled();
    await acceptTerms(page);
    await expect(payButton(page, '$108.25')).toBeDisabled();
    await card(page).selectOption({ label: 'Visa ending in 2224' });
    await expect(payButton(page, '$108.25')).toBeEnabled();
    await terms(page).uncheck();
    await expect(payButton(page, '$108.25')).toBeDisabled();
    await terms(page).check();
    await all.uncheck();
    await expect(payButton(page, '$0.00')).toBeDisabled();
  });

  test('does not let a credit take an invoice away, and asks for its note', async ({
    page,
    request,
    office,
  }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one] = invoices as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await page.getByLabel('Select all invoices').check();
    await acceptTerms(page);
    const row = workOrder(page, one);
    await row.getByRole('button', { name: 'Add services' }).click();
    await expect(row.getByLabel('Note')).toBeDisabled();
    await row.getByLabel('Additional services amount').fill('-100');
    await expect(row.getByText('The total before the tip has to be above $0.00.')).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    await expect(page.locator('.pay-bar-note')).toContainText('Correct the amounts above to pay.');
    await row.getByLabel('Additional services amount').fill('-50');
    await row.getByLabel('Additional services amount').press('Enter');
    await payButton(page).click();
    await expect(row.getByLabel('Note')).toBeFocused();
    await expect(page).toHaveURL('/invoices');
    await row.getByRole('button', { name: 'Remove services' }).click();
    await expect(payButton(page, '$216.50')).toBeEnabled();
  });

  test('locks everything while the card processor thinks', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME);
    const [one] = invoices as [InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await choose(page, one);
    await acceptTerms(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/usaepay/customerportalsale', async (route) => {
      await answer.promise;
      await route.continue();
    });
    const button = payButton(page);
    const width = (await button.boundingBox())?.width;
    const paying = page.getByRole('button', { name: 'Paying…' });
    await button.click();
    await expect(paying).toBeDisabled();
    expect((await paying.boundingBox())?.width).toBe(width);
    await expect(page.getByLabel('Select all invoices')).toBeDisabled();
    await expect(workOrder(page, one).getByRole('button', { name: '15%' })).toBeDisabled();
    await expect(card(page)).toBeDisabled();
    await expect(page.getByText('Please do not close this page.')).toBeVisible();
    await lookAt(page, 'dashboard-paying');
    await expect(page.getByText('Still working with the card processor…')).toBeVisible();
    answer.resolve();
    await expect(page.getByText('Payment successful!')).toBeVisible();
  });

  test('asks before a link drops a payment that is under way, and lets a person log out', async ({
    page,
    request,
    office,
  }) => {
    await openDashboard(page, request, { invoices: await importInvoices(office, HOME), cards: [GOOD_CARD] });
    await page.getByLabel('Select all invoices').check();
    await acceptTerms(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/usaepay/customerportalsale', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await payButton(page).click();
    const menu = page.getByRole('navigation', { name: 'Portal' });
    await menu.getByRole('link', { name: 'Account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByRole('button', { name: 'Paying…' })).toBeVisible();
    await menu.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/');
    answer.resolve();
  });

  test('pays nothing as the next person who signed in there, whose page opens instead', async ({
    page,
    request,
    office,
    openWindow,
  }) => {
    const [home] = (await importInvoices(office, HOME)) as [InvoiceRow];
    await openDashboard(page, request, { invoices: [home], cards: [GOOD_CARD] });
    await choose(page, home);
    await acceptTerms(page);
    const elsewhere = await openWindow();
    await openDashboard(elsewhere, request, { invoices: [home], cards: [MASTERCARD] });
    const session = await elsewhere.evaluate(() => ({ ...localStorage }));
    // A tab hears only of what other tabs store, and may miss that too.
    await page.evaluate((next) => Object.assign(localStorage, next), session);
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type());
      await dialog.dismiss();
    });
    await payButton(page).click();
    await expect(card(page).getByRole('option', { selected: true })).toHaveText('Mastercard ending in 2226');
    await expect(page.getByLabel('Select all invoices')).not.toBeChecked();
    await expect(workOrder(page, home)).toBeVisible();
    expect(questions).toEqual([]);
  });

  for (const { end, answers } of [
    { end: 'once it is known', answers: true },
    { end: 'though its answer is lost', answers: false },
  ]) {
    test(`takes what is paid off the list that somebody went on to, ${end}`, async ({
      page,
      request,
      office,
      consoleGuard,
    }) => {
      if (!answers) consoleGuard.allow(/ERR_FAILED/);
      const [home, work] = await importInvoices(office, HOME, WORK);
      await openDashboard(page, request, { invoices: [home, work] as InvoiceRow[], cards: [GOOD_CARD] });
      await choose(page, home as InvoiceRow);
      await acceptTerms(page);
      const answer = Promise.withResolvers<void>();
      await page.route('**/usaepay/customerportalsale', async (route) => {
        await answer.promise;
        const response = await route.fetch();
        await (answers ? route.fulfill({ response }) : route.abort());
      });
      await payButton(page).click();
      await page.getByRole('link', { name: /^Home/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await expect(heading(page)).toHaveText('Home');
      await expect(workOrder(page, home as InvoiceRow)).toBeVisible();
      await heading(page).evaluate((title) => title.setAttribute('data-stays', ''));
      answer.resolve();
      await expect(page.getByText('This location has no unpaid invoices.')).toBeVisible();
      await expect(heading(page)).toHaveAttribute('data-stays', '');
      await lookAt(page, 'dashboard-paid-after-leaving');
    });
  }

  test('takes what is paid off what the account owes, on the screen that somebody went on to', async ({
    page,
    request,
    office,
  }) => {
    const [home, work] = await importInvoices(office, HOME, { ...WORK, amount: 50 });
    await openDashboard(page, request, { invoices: [home, work] as InvoiceRow[], cards: [GOOD_CARD] });
    await choose(page, home as InvoiceRow);
    await acceptTerms(page);
    const sale = await holdCall(page, '**/usaepay/customerportalsale', 'POST');
    await payButton(page).click();
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Account' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave this screen?' });
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Close my account' }).click();
    const closing = page.getByRole('dialog', { name: 'Close your account?' });
    const owed = closing.getByText(/^You still owe/);
    await expect(owed).toContainText('$158.25');
    sale.goOn();
    await expect(owed).toContainText('$50.00');
  });
});

test.describe('the card', () => {
  test('is asked for where there is none', async ({ page, request, office }) => {
    await openDashboard(page, request, { invoices: await importInvoices(office, HOME) });
    await page.getByLabel('Select all invoices').check();
    await acceptTerms(page);
    await expect(page.getByText('No Payment Methods')).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    await lookAt(page, 'dashboard-no-card');
  });

  test('is chosen already where there is one', async ({ page, request, office }) => {
    await openDashboard(page, request, { invoices: await importInvoices(office, HOME), cards: [GOOD_CARD] });
    await expect(card(page).getByRole('option', { selected: true })).toHaveText('Visa ending in 2224');
  });

  test('is to be chosen where there are several, and stays chosen', async ({ page, request, office }) => {
    const cards = [GOOD_CARD, MASTERCARD];
    await openDashboard(page, request, { invoices: await importInvoices(office, HOME), cards });
    await expect(card(page)).toHaveValue('');
    await card(page).selectOption({ label: 'Mastercard ending in 2226' });
    await expect(card(page).getByRole('option', { name: 'Choose a card' })).toHaveCount(0);
    await page.reload();
    await expect(card(page).getByRole('option', { selected: true })).toHaveText('Mastercard ending in 2226');
  });

  test('cannot be one that has expired, even the only one', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME);
    await letCardsExpire(await openDashboard(page, request, { invoices, cards: [GOOD_CARD] }));
    await page.reload();
    await page.getByLabel('Select all invoices').check();
    await acceptTerms(page);
    await expect(card(page)).toHaveValue('');
    const expired = card(page).getByRole('option', { name: 'Visa ending in 2224 (expired 03/2025)' });
    await expect(expired).toBeDisabled();
    await expect(payButton(page)).toBeDisabled();
  });

  test('cannot be one whose data key is lost: it is to be added again, and then pays', async ({
    page,
    request,
    office,
  }) => {
    const [invoice] = (await importInvoices(office, HOME)) as [InvoiceRow];
    const customer = await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
    await loseKeyOfCards(customer);
    await choose(page, invoice);
    await acceptTerms(page);
    await payButton(page, '$108.25').click();
    await expectRefused(page, /This card cannot be used any more. Add it again, or choose another card./);

    await test.step('nobody can choose it any more', async () => {
      await page.reload();
      const lost = card(page).getByRole('option', { name: 'Visa ending in 2224 (add it again to use it)' });
      await expect(lost).toBeDisabled();
    });

    await test.step('it is marked among the cards, and deleted', async () => {
      await page.goto('/payment-methods');
      const entry = page.getByRole('navigation', { name: 'Saved cards' }).getByRole('link');
      await expect(entry).toHaveText(/Add again/);
      await entry.click();
      const details = page.getByRole('region', { name: 'Visa ending in 2224' });
      await expect(details).toContainText(
        'We cannot charge this card any more. Delete it, then add it again.',
      );
      await expectFits(page, 'payment-method-add-again');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Delete Payment Method' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete Payment Method' }).click();
      await expect(page.getByRole('heading', { name: 'No Payment Methods' })).toBeVisible();
    });

    await test.step('added again, it pays', async () => {
      await addCard(page);
      await page.goto('/invoices');
      await choose(page, invoice);
      await acceptTerms(page);
      await payButton(page, '$108.25').click();
      await expectPaid(page);
    });
  });
});

test.describe('the terms', () => {
  test('are accepted once for a location, and for all when every location has them', async ({
    page,
    request,
    office,
  }) => {
    const invoices = await importInvoices(office, HOME, HOME, WORK, WORK);
    const [one, two, three, four] = invoices as [InvoiceRow, InvoiceRow, InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    const sidebar = page.getByRole('complementary');
    await choose(page, one);
    await acceptTerms(page);
    await payButton(page, '$108.25').click();
    await expectPaid(page);

    await test.step('another location has not', async () => {
      await choose(page, two);
      await expect(terms(page)).not.toBeChecked();
      await expect(payButton(page)).toBeDisabled();
    });
    await test.step('the location that has does not ask', async () => {
      await sidebar.getByRole('link', { name: /^Home/ }).click();
      await expect(heading(page)).toHaveText('Home');
      await expect(terms(page)).toHaveCount(0);
      await payButton(page, '$108.25').click();
      await expectPaid(page);
    });
    await test.step('the other location asks', async () => {
      await sidebar.getByRole('link', { name: /^Work/ }).click();
      // Both pages list it.
      await expect(heading(page)).toHaveText('Work');
      await choose(page, three);
      await expect(payButton(page)).toBeDisabled();
      await acceptTerms(page);
      await payButton(page, '$108.25').click();
      await expectPaid(page);
    });
    await test.step('now all have', async () => {
      await choose(page, four);
      await expect(terms(page)).toHaveCount(0);
      await payButton(page, '$108.25').click();
      await expectPaid(page);
    });
    for (const invoice of invoices) await expectCaptured(invoice, ['108.25']);
  });
});

test.describe('what was chosen and typed', () => {
  /** A draft that uses every kind of input. */
  async function fillDraft(page: Page, one: InvoiceRow): Promise<void> {
    await choose(page, one);
    await workOrder(page, one).getByRole('button', { name: 'Custom' }).click();
    await workOrder(page, one).getByLabel('Custom tip amount').fill('7.77');
    await workOrder(page, one).getByRole('button', { name: 'Add services' }).click();
    await workOrder(page, one).getByLabel('Additional services amount').fill('20');
    await workOrder(page, one).getByLabel('Note').fill('Two more p');
    await page.getByLabel('Send me a receipt').uncheck();
    await acceptTerms(page);
  }

  async function expectDraft(page: Page, one: InvoiceRow): Promise<void> {
    await expect(page.getByLabel(`Select work order ${one.workOrderNumber}`)).toBeChecked();
    await expect(workOrder(page, one).getByLabel('Custom tip amount')).toHaveValue('7.77');
    await expect(workOrder(page, one).getByLabel('Additional services amount')).toHaveValue('20.00');
    await expect(workOrder(page, one).getByLabel('Note')).toHaveValue('Two more p');
    await expect(page.getByLabel('Send me a receipt')).not.toBeChecked();
    await expect(terms(page)).toBeChecked();
    await expect(payButton(page)).toHaveText('Pay $137.67');
  }

  test('survives a reload', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one] = invoices as [InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await fillDraft(page, one);
    await page.reload();
    await expectDraft(page, one);
  });

  test('survives a session that ends as Pay is pressed', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one] = invoices as [InvoiceRow];
    const customer = await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await fillDraft(page, one);
    await page.evaluate(() => localStorage.setItem('auth.token', 'not.a.token'));
    await payButton(page, '$137.67').click();
    await expect(page).toHaveURL('/login');
    await fillSignIn(page, customer);
    await expect(page).toHaveURL('/invoices');
    await expectDraft(page, one);
    await payButton(page, '$137.67').click();
    await expectPaid(page);
    await expectCaptured(one, ['137.67']);
    // A mail that was asked for later comes after one too many.
    await callPortal(request, `/user/resetpassword?email=${customer.email}`, {});
    await readMail({ to: customer.email, subject: 'password' });
    expect((await mailsTo(customer.email)).filter(({ subject }) => subject.includes('Receipt'))).toEqual([]);
  });

  test('survives going to add a card and coming back', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one] = invoices as [InvoiceRow];
    await openDashboard(page, request, { invoices });
    await fillDraft(page, one);
    await page.getByRole('main').getByRole('link', { name: 'Add Payment Method' }).click();
    await expect(page).toHaveURL('/payment-methods/add');
    await fillNewCard(page);
    await pressAdd(page);
    await expect(page).toHaveURL('/invoices');
    await expect(page.getByRole('status').filter({ hasText: 'Payment method added' })).toBeFocused();
    await expectDraft(page, one);
    await expect(card(page).getByRole('option', { selected: true })).toHaveText('Visa ending in 2224');
    await expect(payButton(page)).toBeEnabled();
  });

  test('is another person’s nothing', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one] = invoices as [InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await fillDraft(page, one);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/');
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await expect(payButton(page)).toHaveText('Pay $0.00');
  });

  test('elsewhere neither counts nor is paid in a location’s view', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, HOME, WORK);
    const [one, two] = invoices as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await page.getByLabel('Select all invoices').check();
    await workOrder(page, two).getByRole('button', { name: '20%' }).click();
    await expect(payButton(page)).toHaveText('Pay $236.50');
    await page.getByRole('link', { name: /^Home/ }).click();
    await expect(payButton(page)).toHaveText('Pay $108.25');
    await acceptTerms(page);
    await payButton(page, '$108.25').click();
    await expectPaid(page);
    await expectCaptured(one, ['108.25']);
    await expectCaptured(two, []);
    await expect(payButton(page)).toHaveText('Pay $128.25');
    await expect(page.getByLabel(`Select work order ${two.workOrderNumber}`)).toBeChecked();
  });
});

test('the keyboard alone selects, tips, adds a service and pays', async ({ page, request, office }) => {
  const invoices = await importInvoices(office, HOME, WORK);
  const [one] = invoices as [InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  const row = workOrder(page, one);
  const tabTo = async (target: ReturnType<Page['getByRole']>) => {
    for (let presses = 0; presses < 25; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not reach it');
  };
  await tabTo(page.getByLabel(`Select work order ${one.workOrderNumber}`));
  await page.keyboard.press('Space');
  await tabTo(row.getByRole('button', { name: '20%' }));
  await page.keyboard.press('Enter');
  await tabTo(row.getByRole('button', { name: 'Add services' }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(row.getByLabel('Additional services amount')).toBeFocused();
  await page.keyboard.type('10');
  await page.keyboard.press('Tab');
  await page.keyboard.type('One more pane');
  await tabTo(terms(page));
  await page.keyboard.press('Space');
  await tabTo(payButton(page, '$139.08'));
  await page.keyboard.press('Enter');
  await expectPaid(page);
  await expectCaptured(one, ['139.08']);
});

async function lookAt(page: Page, name: string): Promise<void> {
  await expectFits(page, name);
  await expectAccessible(page);
}
