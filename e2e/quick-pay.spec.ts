import type { Page, Route } from '@playwright/test';
import {
  acceptTerms,
  addressOf,
  cardFrame,
  expectCaptured,
  expectPaid,
  expectRefused,
  expectTypedStays,
  fillAll,
  fillBilling,
  fillCard,
  GOOD_CARD,
  holdPayment,
  importInvoice,
  openInvoice,
  pressPay,
  searchFor,
  waitForCardField,
} from './guest-payment-steps.ts';
import { changeOnce } from './portal-steps.ts';
import { expectFrameAccessible } from './support/accessibility.ts';
import { scriptFault } from './support/emulator.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { mailsTo, readMail } from './support/mailbox.ts';
import { newPerson, register } from './support/people.ts';
import { expectFits } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NOT_FOUND = 'Invoice not found. Please check your information and try again.';
const WRONG = 'Something went wrong. Please try again.';
const NOT_CHARGED = /^Unable to complete payment: Your card was not charged\. Please try again\./;

test.describe('a guest', () => {
  test('finds an invoice by its three numbers, pays it, and sees it paid', async ({ page, office }) => {
    const email = `payer-${office.franchiseId}@example.com`;
    const invoice = await importInvoice(office, {
      service: 'Exterior windows; Screens',
      dueDate: '2026-01-31',
    });

    await page.goto('/');
    await page.getByRole('link', { name: 'Quick Pay' }).click();
    await expect(page).toHaveTitle('Pay Invoice');
    await searchFor(page, {
      franchise: invoice.franchiseId,
      workOrder: invoice.workOrderNumber,
      zip: '78701',
    });

    const facts = page.getByRole('region', { name: `Work Order ${invoice.workOrderNumber}` });
    await expect(facts).toContainText('Clearwater Windows');
    await expect(facts).toContainText('12 Juniper Lane, Austin, TX');
    await expect(facts).toContainText('Exterior windows, Screens');
    await expect(facts).toContainText('Nov 2, 2026');
    await expect(facts).toContainText('Jan 31, 2026');
    await expect(facts).toContainText('Overdue');
    await expect(facts).toContainText('$108.25');

    await fillAll(page, { email });
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expect(page.getByRole('definition').filter({ hasText: 'Clearwater Windows' })).toBeVisible();
    await expect(page.getByRole('definition').filter({ hasText: 'Visa ending in 2224' })).toBeVisible();
    await expect(page.getByText(`Your receipt goes to ${email}`)).toBeVisible();
    await page.reload();
    await expect(page.getByRole('definition').filter({ hasText: '$108.25' })).toBeVisible();

    const receipt = await readMail({ to: email, subject: 'Receipt' });
    expect(receipt.text).toContain('$108.25');
    await expectCaptured(invoice, ['108.25']);

    await openInvoice(page, invoice);
    await expect(page.getByText('This invoice is already paid.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Payment history' })).toContainText('$108.25');
    await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  });

  test('pays what the screen says, with services and a tip', async ({ page, office }) => {
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    const line = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('xpath=..');

    await page.getByRole('button', { name: 'Add services' }).click();
    const note = page.getByRole('textbox', { name: 'Note' });
    await expect(note).toBeDisabled();
    await page.getByLabel('Additional services amount').fill('20');
    await expect(note).toBeEnabled();
    await expect(note).toHaveAttribute('required');
    await expect(note).toHaveAttribute('placeholder', 'Note (required)');
    await note.fill('Two more panes');
    await page.getByRole('button', { name: '15%' }).click();
    await expect(page.getByRole('button', { name: '15%' })).toHaveAttribute('aria-pressed', 'true');
    await expect(line('Subtotal')).toContainText('$120.00');
    await expect(line('Tax')).toContainText('$9.90');
    await expect(line('Tip')).toContainText('$18.00');
    await expect(line('Total').last()).toContainText('$147.90');

    await fillAll(page);
    await pressPay(page, '$147.90');
    await expectPaid(page, '$147.90');
    await expectCaptured(invoice, ['147.90']);
  });

  test('can do everything by keyboard', async ({ page, office }) => {
    const invoice = await importInvoice(office);
    await page.goto('/guest-payment');
    // Before the script has run, Enter sends nothing.
    await expect(page.getByRole('button', { name: 'Find Invoice' })).toBeEnabled();
    await page.getByLabel('Franchise #').focus();
    await typeThrough(page, [`${invoice.franchiseId}`, `${invoice.workOrderNumber}`, '78701']);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeFocused();
    await waitForCardField(page);

    const tabTo = async (name: string | RegExp, role: 'button' | 'textbox' | 'checkbox') => {
      const target = page.getByRole(role, { name }).first();
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab');
        if (await target.evaluate((element) => element === document.activeElement)) return;
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    await tabTo('20%', 'button');
    await page.keyboard.press('Space');
    await tabTo('First name', 'textbox');
    await typeThrough(page, ['Zoë', "O'Brien", '12 Juniper Lane', '', 'Austin', 'TX', '78701', '', '', '']);
    await expect(cardFrame(page).getByLabel('Card number')).toBeFocused();
    await typeThrough(page, [GOOD_CARD, '1235', '123', '']);
    await expect(page.getByLabel(/I accept the terms/)).toBeFocused();
    await page.keyboard.press('Space');
    await tabTo('Pay $128.25', 'button');
    await page.keyboard.press('Enter');
    await expectPaid(page, '$128.25');
  });

  test('reads a large amount on the narrowest phone', async ({ page, office }) => {
    const invoice = await importInvoice(office, { amount: 12_345.67, salesTaxAmount: 0, salesTaxRate: 0 });
    await page.setViewportSize({ width: 320, height: 780 });
    await openInvoice(page, invoice);
    await expectFits(page, 'quick-pay-large-amount', [320]);
    await fillAll(page);
    await pressPay(page, '$12,345.67');
    await expectPaid(page, '$12,345.67');
    const facts = page.locator('.success-facts');
    const [panel, amount] = await Promise.all([
      facts.boundingBox(),
      facts.getByText('$12,345.67').boundingBox(),
    ]);
    const inside = (panel?.x ?? 0) + (panel?.width ?? 0) - 16;
    expect((amount?.x ?? 0) + (amount?.width ?? Infinity)).toBeLessThanOrEqual(inside);
  });

  test('gets no receipt who asks for none', async ({ page, office, request }) => {
    const email = `quiet-${office.franchiseId}@example.com`;
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    const receipt = page.getByLabel('Send me a receipt');
    await expect(receipt).toBeChecked();
    await expect(receipt).toHaveAccessibleDescription('Enter your email above to get one.');
    await fillAll(page, { email });
    await expect(receipt).toHaveAccessibleDescription('');
    await receipt.uncheck();
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expectCaptured(invoice, ['108.25']);
    // A mail that was asked for later comes after one too many.
    await register(request, newPerson({ email }));
    await readMail({ to: email, subject: 'confirm your email' });
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('who is signed in is led to the portal', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('auth.refreshToken', 'from-before'));
    for (const path of ['/', '/guest-payment', '/guest-payment/success']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/(invoices|login)$/);
    }
  });
});

test.describe('the search', () => {
  for (const [name, change] of [
    ['another zip code', { zip: '78702' }],
    ['another work order', { workOrder: 9_999_999 }],
    ['another franchise', { franchise: 999_999_998 }],
  ] as const) {
    test(`with ${name} finds nothing, in the same words`, async ({ page, office }) => {
      const invoice = await importInvoice(office);
      const right = { franchise: invoice.franchiseId, workOrder: invoice.workOrderNumber, zip: '78701' };
      await page.goto('/guest-payment');
      await searchFor(page, { ...right, ...change });
      await expectRefused(page, NOT_FOUND);
    });
  }

  for (const [name, numbers, message, label] of [
    ['letters', { franchise: 'abc', workOrder: 1, zip: '1' }, 'Invalid franchise number', 'Franchise #'],
    ['zero', { franchise: 1, workOrder: 0, zip: '1' }, 'Invalid work order number', 'Work Order #'],
  ] as const) {
    test(`for ${name} says which number is wrong, there too`, async ({ page }) => {
      await page.goto('/guest-payment');
      await searchFor(page, numbers);
      await expectRefused(page, message);
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(message);
      await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
    });
  }

  test('without all three numbers is not run', async ({ page }) => {
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/user/invoice/search')) searches.push(request.url());
    });
    await page.goto('/guest-payment?franchiseNumber=1&workOrderNumber=2');
    await expect(page.getByLabel('Work Order #')).toHaveValue('2');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.getByRole('button', { name: 'Find Invoice' }).click();
    await expect(page.getByLabel('Zip Code')).toBeFocused();
    expect(searches).toEqual([]);
  });

  test('keeps what is typed before the page’s script has run', async ({ page, office }) => {
    const invoice = await importInvoice(office);
    const scripts = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto('/guest-payment', { waitUntil: 'commit' });
    await page.getByLabel('Franchise #').fill(`${invoice.franchiseId}`);
    await page.getByLabel('Work Order #').fill(`${invoice.workOrderNumber}`);
    await page.getByLabel('Zip Code').fill('78701');
    scripts.resolve();
    await expect(page.getByRole('button', { name: 'Find Invoice' })).toBeEnabled();
    await expect(page.getByLabel('Zip Code')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeFocused();
  });

  test('without a connection says so and works again with one', async ({
    page,
    context,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
    const invoice = await importInvoice(office);
    await page.goto('/guest-payment');
    await expect(page.getByRole('button', { name: 'Find Invoice' })).toBeEnabled();
    await context.setOffline(true);
    await searchFor(page, {
      franchise: invoice.franchiseId,
      workOrder: invoice.workOrderNumber,
      zip: '78701',
    });
    await expectRefused(page, WRONG);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Find Invoice' }).click();
    await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeVisible();
  });
});

test('a link to an invoice is looked up while the app is on its way, once', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  const searches: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/user/invoice/search')) searches.push(request.url());
  });
  const app = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?!begin-look-up)[\w.-]+\.js$/, async (route) => {
    await app.promise;
    await route.continue();
  });
  const looked = page.waitForResponse('**/user/invoice/search');
  await page.goto(addressOf(invoice), { waitUntil: 'commit' });
  await looked;
  app.resolve();
  await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeFocused();
  expect(searches).toHaveLength(1);
});

test.describe('an invoice', () => {
  for (const [name, row, status] of [
    ['without dates', { dueDate: '', completedDate: '' }, 'Pending'],
    ['that is not due yet', { dueDate: '2099-12-31' }, 'Due'],
    ['that is past its date', { dueDate: '2026-01-31' }, 'Overdue'],
  ] as const) {
    test(`${name} is ${status}`, async ({ page, office }) => {
      const invoice = await importInvoice(office, row);
      await openInvoice(page, invoice);
      const facts = page.getByRole('region', { name: `Work Order ${invoice.workOrderNumber}` });
      await expect(facts.getByText(status, { exact: true })).toBeVisible();
      if (row.completedDate === '') await expect(facts).toContainText('Upcoming');
    });
  }

  test('that is partly paid asks for the rest', async ({ page, office }) => {
    const invoice = await importInvoice(office, { paidElsewhere: 50 });
    await openInvoice(page, invoice);
    await expect(page.getByRole('region', { name: 'Payment history' })).toContainText('$50.00');
    await fillAll(page);
    await pressPay(page, '$58.25');
    await expectPaid(page, '$58.25');
  });

  test('without tips offers none', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office, { tipsEnabled: false }));
    await expect(page.getByRole('button', { name: 'Add services' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Tip' })).toHaveCount(0);
    await expect(page.getByRole('term').filter({ hasText: 'Tip' })).toHaveCount(0);
  });

  test('whose picture cannot be had is told of in words', async ({ page, office, consoleGuard }) => {
    consoleGuard.allow(/ERR_FAILED/);
    await page.route('**/*.png*', (route) => route.abort());
    await page.route('**/documents/**', (route) => route.abort());
    await openInvoice(page, await importInvoice(office));
    await expect(page.getByText('Unable to load invoice details', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open PDF' })).toBeVisible();
  });
});

test.describe('the amount', () => {
  test('takes a tip of one’s own, asks about a large one, and clears a preset that is pressed again', async ({
    page,
    office,
  }) => {
    await openInvoice(page, await importInvoice(office));
    const tip = page.getByRole('group', { name: 'Tip' });
    const preset = tip.getByRole('button', { name: '20%' });
    const custom = tip.getByRole('button', { name: 'Custom' });

    await preset.click();
    await expect(page.getByRole('button', { name: 'Pay $128.25' })).toBeVisible();
    await preset.click();
    await expect(preset).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();

    await custom.click();
    await tip.getByLabel('Custom tip amount').fill('33.33');
    await expect(custom).toHaveAttribute('aria-pressed', 'true');
    await expect(tip).toContainText('33%');
    await expect(page.getByText('Thank you for your generosity!')).toHaveCount(0);
    await tip.getByLabel('Custom tip amount').fill('100.01');
    await expect(
      page.getByText(
        'Thank you for your generosity! We noticed that the tip exceeds the cost of the job. Was this your intention?',
      ),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay $208.26' })).toBeVisible();
    await tip.getByLabel('Custom tip amount').fill('');
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();
  });

  test('has to stay above nothing, and services that are removed are gone', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    await page.getByRole('button', { name: 'Add services' }).click();
    await page.getByLabel('Additional services amount').fill('-100');
    await expect(page.getByText('The total before the tip has to be above $0.00.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeDisabled();
    await expect(page.locator('.pay-bar-note')).toContainText('Correct the amounts above to pay.');
    await expect(page.getByRole('button', { name: '15%' })).toBeDisabled();
    await page.getByRole('button', { name: 'Remove services' }).click();
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeEnabled();
    await page.getByRole('button', { name: 'Add services' }).click();
    await expect(page.getByLabel('Additional services amount')).toHaveValue('');
  });

  test('drops a tip that cannot be paid when its field is closed', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    const custom = page.getByRole('button', { name: 'Custom' });
    await custom.click();
    await page.getByLabel('Custom tip amount').fill('5.555');
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeDisabled();
    await custom.click();
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeEnabled();
    await custom.click();
    await expect(page.getByLabel('Custom tip amount')).toHaveValue('');
  });

  test('may be reduced only as far as the office allows', async ({ page, office }) => {
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await page.getByRole('button', { name: 'Add services' }).click();
    await page.getByLabel('Additional services amount').fill('-50');
    await page.getByRole('textbox', { name: 'Note' }).fill('Half of it was not done');
    await fillAll(page);
    await pressPay(page, '$54.12');
    await expectRefused(
      page,
      `Additional services may reduce work order ${invoice.workOrderNumber} by at most 25%.`,
    );
    await expectTypedStays(page);
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Half of it was not done');
  });

  test('may be reduced by whoever found the invoice, whatever postal code the card has', async ({
    page,
    office,
  }) => {
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await page.getByRole('button', { name: 'Add services' }).click();
    await page.getByLabel('Additional services amount').fill('-20');
    await page.getByRole('textbox', { name: 'Note' }).fill('One pane was broken');
    await fillAll(page);
    await page.getByLabel('Postal code').fill('02113');
    await pressPay(page, '$86.60');
    await expectPaid(page, '$86.60');
    await expectCaptured(invoice, ['86.60']);
  });

  test('that changed since it was shown is not paid unseen', async ({ page, office }) => {
    const invoice = await importInvoice(office);
    const nextPicture = () => page.waitForResponse(/\/documents\/[^/]+\.png\?/).then((png) => png.body());
    const before = nextPicture();
    await openInvoice(page, invoice);
    const shown = await before;
    await fillAll(page);
    const after = nextPicture();
    await office.importInvoices({ ...invoice, amount: 120.25, salesTaxAmount: 9.25 });
    await pressPay(page, '$108.25');
    await expectRefused(
      page,
      `Unable to complete payment: Work order ${invoice.workOrderNumber} has changed: $120.25 is due now. Please check it and try again.`,
    );
    // Its link may be the same, but the picture names another amount.
    expect((await after).equals(shown)).toBe(false);
    await expectTypedStays(page);
    await pressPay(page, '$120.25');
    await expectPaid(page, '$120.25');
    await expectCaptured(invoice, ['120.25']);
  });

  test('that changed is shown even if the script that looks ahead ran last of all', async ({
    page,
    office,
  }) => {
    const invoice = await importInvoice(office);
    const isShown = Promise.withResolvers<void>();
    await page.route('**/assets/begin-look-up-*.js', async (route) => {
      await isShown.promise;
      await route.continue();
    });
    const opened = openInvoice(page, invoice);
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();
    isShown.resolve();
    await opened;
    await fillAll(page);
    await office.importInvoices({ ...invoice, amount: 120.25, salesTaxAmount: 9.25 });
    await pressPay(page, '$108.25');
    await expectRefused(page, /has changed: \$120\.25 is due now/);
    await expect(page.getByRole('button', { name: 'Pay $120.25' })).toBeVisible();
  });
});

test.describe('Pay', () => {
  test('waits for the terms', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillBilling(page);
    await fillCard(page);
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeDisabled();
    await acceptTerms(page);
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeEnabled();
    await expect(page.getByLabel('Send me a receipt')).toBeChecked();
  });

  test('asks for every field that is required', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillCard(page);
    await acceptTerms(page);
    await pressPay(page, '$108.25');
    for (const label of ['First name', 'Last name', 'Street', 'City', 'State', 'Postal code']) {
      const field = page.getByLabel(label, { exact: true });
      await expect(field).toBeFocused();
      await field.fill('x');
      await field.press('Enter');
    }
    await expectPaid(page, '$108.25');
  });

  test('locks the form while the card processor thinks, and says so when it takes long', async ({
    page,
    office,
  }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/usaepay/guestsale', async (route) => {
      await answer.promise;
      await route.continue();
    });
    const button = page.getByRole('button', { name: /^Pay/ });
    const width = (await button.boundingBox())?.width;
    await pressPay(page, '$108.25');
    await expect(button).toHaveText(/Paying…/);
    await expect(button).toBeDisabled();
    await expect(page.getByLabel('First name')).toBeDisabled();
    await expect(page.getByText('Please do not close this page.')).toBeVisible();
    expect((await button.boundingBox())?.width).toBe(width);
    await expect(page.getByText('Still working with the card processor…')).toBeVisible();
    answer.resolve();
    await expect(page).toHaveURL('/guest-payment/success');
  });

  test('asks before a link or Back drops a payment that is under way', async ({ page, office }) => {
    const { franchiseId, workOrderNumber } = await importInvoice(office);
    await page.goto('/guest-payment');
    await searchFor(page, { franchise: franchiseId, workOrder: workOrderNumber, zip: '78701' });
    await waitForCardField(page);
    await fillAll(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/usaepay/guestsale', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await pressPay(page, '$108.25');
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
    await page.getByRole('link', { name: 'Back to search' }).click();
    await expect(dialog).toContainText('If you leave, you do not see whether it went through.');
    await expectGoodScreen(page, 'guest-payment-leave');
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await expect(dialog).toBeVisible();
    answer.resolve();
    await expect(page).toHaveURL('/guest-payment/success');
    await expect(dialog).toBeHidden();
  });

  test('a second payer meanwhile hears that a payment is in progress', async ({
    page,
    openWindow,
    office,
  }) => {
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    const other = await openWindow();
    await openInvoice(other, invoice);
    await fillAll(other);

    const held = await holdPayment(invoice);
    await pressPay(page, '$108.25');
    await held.claimed();
    await pressPay(other, '$108.25');
    await expectRefused(
      other,
      `Unable to complete payment: A payment for work order ${invoice.workOrderNumber} is already in progress.`,
    );
    await held.goOn();
    await expectPaid(page, '$108.25');
    await pressPay(other, '$108.25');
    await expectRefused(other, `Work order ${invoice.workOrderNumber} is already paid.`);
    await expect(other.getByText('This invoice is already paid.')).toBeVisible();
    await expectCaptured(invoice, ['108.25']);
  });
});

test.describe('a card', () => {
  for (const [number, sentence] of [
    ['4000300611112224', /Insufficient funds/],
    ['4000300011112220', /declined/i],
    ['4000300211112228', /honor/i],
    ['4000301311112225', /CVV/],
    ['4000300111112229', /needs verification by your bank/],
    ['4000301511112223', /needs verification by your bank/],
  ] as const) {
    test(`${number} is refused in the bank’s words; nothing is charged and another card works at once`, async ({
      page,
      office,
    }) => {
      const invoice = await importInvoice(office);
      await openInvoice(page, invoice);
      await fillAll(page, { card: number });
      await pressPay(page, '$108.25');
      await expectRefused(page, /Your card was not charged\./);
      await expect(page.getByRole('alert')).toHaveText(sentence);
      await expectTypedStays(page);
      await fillCard(page);
      await pressPay(page, '$108.25');
      await expectPaid(page, '$108.25');
      await expectCaptured(invoice, ['108.25']);
    });
  }

  test('that is not all there is explained under its field, until it is', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillBilling(page);
    await acceptTerms(page);
    await pressPay(page, '$108.25');
    const errors = page.getByRole('group', { name: 'Card details' }).getByRole('alert');
    await expect(errors).toContainText('Enter the card number.');
    await expect(errors).toContainText('Enter the CVV, the security code on the card.');
    await expect(cardFrame(page).getByLabel('Card number')).toBeFocused();
    await fillCard(page, '4000100011112225');
    await pressPay(page, '$108.25');
    await expect(errors).toHaveText('Check the card number: a digit is wrong or missing.');
    await fillCard(page);
    await expect(errors).toHaveCount(0);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });

  test('that the server takes for no card is told under its field', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    await changeOnce(page, '**/usaepay/guestsale', { paymentKey: '' });
    await pressPay(page, '$108.25');
    const field = page.getByRole('group', { name: 'Card details' });
    await expect(field).toHaveAccessibleDescription('Please enter your card details.');
    await expect(field.getByText('Please enter your card details.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(1);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });

  test('that is refused takes the outcome before it off the screen', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page, { card: '4000300011112220' });
    await pressPay(page, '$108.25');
    await expectRefused(page, /Your card was not charged\./);
    await fillCard(page, '4000100011112225');
    await pressPay(page, '$108.25');
    const errors = page.getByRole('group', { name: 'Card details' }).getByRole('alert');
    await expect(errors).toHaveText('Check the card number: a digit is wrong or missing.');
    await expect(page.getByRole('alert')).toHaveCount(1);
  });

  test('that is refused is not told of again while the next one is charged', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page, { card: '4000300011112220' });
    await pressPay(page, '$108.25');
    await expectRefused(page, /Your card was not charged\./);
    await fillCard(page);
    const told = await page.evaluateHandle(() => {
      const words: string[] = [];
      const look = () =>
        words.push(...[...document.querySelectorAll('[role=alert]')].map((each) => each.innerHTML));
      document.addEventListener(
        'submit',
        () =>
          setTimeout(() =>
            new MutationObserver(look).observe(document.body, { childList: true, subtree: true }),
          ),
        { once: true },
      );
      return words;
    });
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    expect(await told.jsonValue()).toEqual([]);
  });

  test('cannot be entered where the provider’s script is blocked, until it is let in', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    await page.route('**/pay.js', (route) => route.abort());
    await openInvoice(page, await importInvoice(office));
    await expect(page.getByRole('alert')).toContainText('The card field did not load.');
    await fillBilling(page);
    await acceptTerms(page);
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeDisabled();
    await page.unroute('**/pay.js');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByRole('group', { name: 'Card details' })).toBeFocused();
    await fillCard(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });

  test('whose script never arrives can be tried again, and then it does', async ({ page, office }) => {
    await page.clock.install();
    await page.route(/\/pay\.js/, () => undefined, { times: 1 });
    const asked = page.waitForRequest(/\/pay\.js/);
    await openInvoice(page, await importInvoice(office));
    await fillBilling(page);
    await acceptTerms(page);
    await asked;
    await page.clock.fastForward(20_000);
    await expect(page.getByRole('alert')).toContainText('The card field did not load.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await fillCard(page);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });

  test('whose processor cannot be reached can be tried again', async ({ page, office, consoleGuard }) => {
    consoleGuard.allow(/ERR_FAILED/);
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    await page.route('**/pub/payment_keys', (route) => route.abort());
    await pressPay(page, '$108.25');
    await expect(page.getByRole('alert')).toHaveText(/could not be reached, so this attempt charged nothing/);
    await page.unroute('**/pub/payment_keys');
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });

  test('is shown, with the focus, where its processor cannot be reached from a phone', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    await page.setViewportSize({ width: 390, height: 844 });
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    await page.getByRole('heading', { name: 'Confirm Amount' }).scrollIntoViewIfNeeded();
    await page.route('**/pub/payment_keys', (route) => route.abort());
    await pressPay(page, '$108.25');
    await expect(page.getByRole('group', { name: 'Card details' })).toBeFocused();
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  });

  test('is entered anew when its processor never answers', async ({ page, office }) => {
    await page.clock.install();
    await openInvoice(page, await importInvoice(office));
    await fillAll(page);
    await page.route('**/pub/payment_keys', () => undefined, { times: 1 });
    const asked = page.waitForRequest('**/pub/payment_keys');
    await pressPay(page, '$108.25');
    await asked;
    await page.clock.fastForward(20_000);
    await expect(page.getByRole('alert')).toHaveText(
      'The card processor did not answer. Please enter your card again.',
    );
    await expect(cardFrame(page).getByLabel('Card number')).toHaveValue('');
    await expect(page.getByLabel('First name')).toHaveValue('Zoë');
    await fillCard(page);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
  });
});

test('a payment whose page is gone, as during an update, is shown from the paid invoice', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|reloading page|dynamically imported module/);
  await openInvoice(page, await importInvoice(office));
  await fillAll(page);
  await page.route('**/assets/quick-pay-success-*.js', (route) => route.abort());
  await pressPay(page, '$108.25');
  await expect(page.getByText('This invoice is already paid.')).toBeVisible();
  await page.unroute('**/assets/quick-pay-success-*.js');
  await page.getByRole('link', { name: 'See your payment' }).click();
  await expectPaid(page, '$108.25');
});

test.describe('a payment whose answer is lost', () => {
  test('stays in doubt while the card processor cannot be reached either', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED|Unable to complete payment/);
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/usaepay/guestsale', loseAnswer, { times: 1 });
    await pressPay(page, '$108.25');
    const doubt = 'Press Pay again to check; you will not be charged twice.';
    await expectRefused(page, new RegExp(doubt));

    await page.route('**/pub/payment_keys', (route) => route.abort());
    await pressPay(page, '$108.25');
    await expect(page.getByText('so this attempt charged nothing.')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: doubt })).toBeVisible();
    await page.unroute('**/pub/payment_keys');
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expectCaptured(invoice, ['108.25']);
  });

  test('between us and the provider was not charged, and can be made at once', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/status of 503/);
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    await scriptFault({ fault: 'reset', when: 'after', invoice: `${invoice.workOrderNumber}` });
    await pressPay(page, '$108.25');
    await expectRefused(page, NOT_CHARGED);
    await expectTypedStays(page);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expectCaptured(invoice, ['108.25']);
  });

  test('between us and the browser is found by pressing Pay again, and charged once', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    await page.route('**/usaepay/guestsale', loseAnswer, { times: 1 });
    await pressPay(page, '$108.25');
    await expectRefused(page, `${WRONG} Press Pay again to check; you will not be charged twice.`);
    await expectTypedStays(page);
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expectCaptured(invoice, ['108.25']);
  });

  test('is found after a reload too', async ({ page, office, consoleGuard }) => {
    consoleGuard.allow(/ERR_FAILED/);
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    await page.route('**/usaepay/guestsale', loseAnswer, { times: 1 });
    await pressPay(page, '$108.25');
    await expectRefused(page, /you will not be charged twice/);
    await page.reload();
    await expect(page.getByText('This invoice is already paid.')).toBeVisible();
    await expectCaptured(invoice, ['108.25']);
  });

  test('is told beside what is due, where the invoice was raised meanwhile', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    const invoice = await importInvoice(office);
    await openInvoice(page, invoice);
    await fillAll(page);
    await page.route('**/usaepay/guestsale', loseAnswer, { times: 1 });
    await pressPay(page, '$108.25');
    await expectRefused(page, /you will not be charged twice/);
    await office.importInvoices({ ...invoice, amount: 158.25 });
    await page.reload();
    await fillAll(page);
    await pressPay(page, '$50.00');
    await expectRefused(
      page,
      /^You paid \$108\.25 earlier \(reference \d+\)\. \$50\.00 is still due\. Press Pay again to pay it\.$/,
    );
    await expectTypedStays(page);
    await expectCaptured(invoice, ['108.25']);
    await pressPay(page, '$50.00');
    await expectPaid(page, '$50.00');
    await expectCaptured(invoice, ['108.25', '50.00']);
  });

  test('is told without the tip and the services that it paid, which leave the form', async ({
    page,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    const invoice = await importInvoice(office);
    const fillWithTip = async () => {
      await page.getByRole('button', { name: 'Add services' }).click();
      await page.getByLabel('Additional services amount').fill('30');
      await page.getByLabel('Note').fill('Gutters');
      await page.getByRole('button', { name: 'Custom' }).click();
      await page.getByLabel('Custom tip amount').fill('20');
      await fillAll(page);
    };
    await openInvoice(page, invoice);
    await fillWithTip();
    await page.route('**/usaepay/guestsale', loseAnswer, { times: 1 });
    await pressPay(page, '$160.73');
    await expectRefused(page, /you will not be charged twice/);
    await office.importInvoices({ ...invoice, amount: 158.25 });
    await page.reload();
    await fillWithTip();
    await pressPay(page, '$102.48');
    await expectRefused(page, /^You paid \$160\.73 earlier .+ \$50\.00 is still due\./);
    await expect(page.getByLabel('Custom tip amount')).toHaveValue('');
    await expect(page.getByLabel('Additional services amount')).toHaveValue('');
    await expectTypedStays(page);
    await pressPay(page, '$50.00');
    await expectPaid(page, '$50.00');
    await expectCaptured(invoice, ['160.73', '50.00']);
  });
});

test('an answer that makes no sense leads to the error page, and from there back', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/not an amount: 1\.005/);
  const invoice = await importInvoice(office);
  await page.route('**/user/invoice/search', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), balanceDue: 1.005 } });
  });
  await page.goto(addressOf(invoice));
  await expect(page.getByRole('heading', { name: 'Oops, an unexpected error has occurred.' })).toBeVisible();
  await page.unroute('**/user/invoice/search');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeVisible();
});

test('an office without a card account says whom to call', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  await page.route('**/guest-payment?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"defaultPublicKey":"[^"]*"/, '"defaultPublicKey":""');
    await route.fulfill({ response, body });
  });
  await page.route('**/user/invoice/search', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), publicKey: null } });
  });
  await openInvoice(page, invoice);
  await expect(
    page.getByText('This office does not take cards online yet. Please call it to pay.'),
  ).toBeVisible();
  await acceptTerms(page);
  await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeDisabled();
});

test.describe('every state of the guest’s screens can be read by everyone and fits:', () => {
  test('the search that found nothing', async ({ page }) => {
    await page.goto('/guest-payment?franchiseNumber=1&workOrderNumber=2&zipCode=3');
    await expect(page.getByRole('alert')).toHaveText(NOT_FOUND);
    await expectGoodScreen(page, 'search-not-found');
  });

  test('the invoice, with everything open and every field wrong', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office, { dueDate: '2026-01-31', paidElsewhere: 20 }));
    await page.getByRole('button', { name: 'Add services' }).click();
    await page.getByLabel('Additional services amount').fill('-12.50');
    await page.getByRole('textbox', { name: 'Note' }).fill('One window less');
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('Custom tip amount').fill('120');
    await fillBilling(page);
    await acceptTerms(page);
    await cardFrame(page).getByLabel('Card number').fill('4000100011112225');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await expect(page.getByRole('alert')).toContainText(
      'Check the card number: a digit is wrong or missing.',
    );
    await expectGoodScreen(page, 'invoice-card-errors');
  });

  test('the invoice that is due', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office, { paidElsewhere: 20 }));
    await expect(cardFrame(page).getByLabel('Card number')).toBeVisible();
    await expectGoodScreen(page, 'invoice-due', async () => {
      // A headless browser shows no scroll bars; others would, beside the card's fields.
      const hidden = await cardFrame(page)
        .locator('html')
        .evaluate((html) => html.scrollHeight - html.clientHeight);
      expect(hidden, 'pixels that the card form is too high for its frame').toBe(0);
    });
    await test.step('in forced colors the browser draws the ticks', async () => {
      await page.emulateMedia({ forcedColors: 'active' });
      await expect(page.getByLabel('Send me a receipt')).toHaveCSS('appearance', 'auto');
      await page.emulateMedia({ forcedColors: null });
    });
    await expectFrameAccessible(page);
  });

  test('the payment that was declined', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office));
    await fillAll(page, { card: '4000300611112224' });
    await pressPay(page, '$108.25');
    await expectRefused(page, /not charged/);
    await expectGoodScreen(page, 'invoice-declined');
  });

  test('the payment that was made', async ({ page, office }) => {
    await openInvoice(
      page,
      await importInvoice(office, { franchiseName: 'Fensterputzer Löwenstraße & Söhne' }),
    );
    await fillAll(page, { email: `a.rather.long.address.${office.franchiseId}@mail.example.com` });
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await expectGoodScreen(page, 'payment-success');
  });

  test('the invoice that is paid', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office, { paidElsewhere: 108.25 }));
    await expect(page.getByText('This invoice is already paid.')).toBeVisible();
    await expectGoodScreen(page, 'invoice-paid');
  });

  test('the invoice of nothing, which nobody paid', async ({ page, office }) => {
    await openInvoice(page, await importInvoice(office, { amount: 0, salesTaxAmount: 0 }));
    await expect(page.getByRole('region', { name: 'Payment history' })).toContainText(
      'There was nothing to pay.',
    );
    await expectGoodScreen(page, 'invoice-of-nothing');
  });
});

/** Types each text and presses Tab, staying in the last field. */
async function typeThrough(page: Page, texts: string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
}

/** Lets the portal finish the payment, and drops its answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}
