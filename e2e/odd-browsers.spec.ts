import { fillNewCard, pressAdd } from './card-steps.ts';
import {
  acceptTerms,
  expectCaptured,
  expectPaid,
  expectRefused,
  fillAll,
  fillCard,
  GOOD_CARD,
  holdPayment,
  importInvoice,
  openInvoice,
  pressPay,
} from './guest-payment-steps.ts';
import { choose, importInvoices, makeCustomer, openDashboard, payButton } from './portal-steps.ts';
import { SPOILED_STORAGES } from './spoiled-storage.ts';
import type { InvoiceRow } from './support/console/office.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { translatePage } from './translation-steps.ts';

const DECLINED_CARD = '4000300611112224';

test.describe('on a page that the browser translates', () => {
  test('the button says what a guest pays, and a long payment, a decline and a success are told', async ({
    page,
    office,
  }) => {
    const invoice = await importInvoice(office, { tipsEnabled: true });
    await openInvoice(page, invoice);
    await fillAll(page, { card: DECLINED_CARD });
    await translatePage(page);
    const pay = page.getByRole('button', { name: /^Pay / });
    await expect(pay).toHaveText('Pay $108.25');
    await page.getByRole('button', { name: '20%' }).click();
    await expect(pay).toHaveText('Pay $128.25');

    const { claimed, goOn } = await holdPayment(invoice);
    await pressPay(page, '$128.25');
    await claimed();
    const note = page.locator('.pay-bar-note');
    await expect(note).toHaveText('Still working with the card processor… Please do not close this page.');
    await goOn();
    await expectRefused(page, /Your card was not charged/);
    await expect(note).toHaveText(/^Your card is charged once/);
    await fillCard(page);
    await pressPay(page, '$128.25');
    await expectPaid(page, '$128.25');
    await expectCaptured(invoice, ['128.25']);
  });

  test('the button says what a customer pays for what is selected', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, {}, {});
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await translatePage(page);
    await choose(page, ...invoices);
    await expect(payButton(page)).toHaveText('Pay $216.50');
    await expect(page.locator('.select-all')).toHaveText('Select all invoices 2 of 2');
    await acceptTerms(page);
    await payButton(page, '$216.50').click();
    await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
  });

  test('each payment says what it paid, and where', async ({ page, request, office }) => {
    const [first, second] = (await importInvoices(office, {}, {})) as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices: [first, second], cards: [GOOD_CARD] });
    await choose(page, first);
    await acceptTerms(page);
    await payButton(page, '$108.25').click();
    const done = page.getByRole('region', { name: 'Your payment' });
    await expect(done).toBeVisible();
    await translatePage(page);
    const reference = async () =>
      /\d+/.exec((await done.locator('.figures').last().textContent()) ?? '')?.[0];
    const before = await reference();
    expect(before).toBeTruthy();

    await choose(page, second);
    await page.getByLabel('Send me a receipt').uncheck();
    await payButton(page, '$108.25').click();
    await expect(done).toContainText('You asked for no receipt.');
    await expect.poll(reference).not.toBe(before);
  });

  test('the button beside a password says what it does now', async ({ page }) => {
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
    await translatePage(page);
    await page.getByRole('button', { name: 'Show password' }).click();
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
  });

  test('a card that the bank refuses is told, and another one added', async ({ page, request, office }) => {
    await openDashboard(page, request, { invoices: await importInvoices(office, {}) });
    await page.goto('/payment-methods/add');
    await fillNewCard(page, DECLINED_CARD);
    await translatePage(page);
    await pressAdd(page);
    await expectRefused(page, /^Unable to add payment method/);
    await expect(page.locator('.add-card-note')).toHaveText(/Nothing is charged/);
    await fillCard(page);
    await pressAdd(page);
    await expect(page.getByRole('status').filter({ hasText: 'Payment method added' })).toBeVisible();
  });
});

for (const [storage, spoil] of SPOILED_STORAGES) {
  test.describe(`in a browser with ${storage}`, () => {
    test.beforeEach(async ({ context, consoleGuard }) => {
      await context.addInitScript(spoil);
      // The router restores scroll positions from there.
      consoleGuard.allow(/Cannot read properties of null \(reading '(getItem|removeItem)'\)/);
    });

    test('a guest pays, and reads that it is paid', async ({ page, office }) => {
      const invoice = await importInvoice(office);
      await openInvoice(page, invoice);
      await fillAll(page);
      await pressPay(page, '$108.25');
      await expectPaid(page, '$108.25');
      await expectCaptured(invoice, ['108.25']);
    });

    test('a customer signs in and pays', async ({ page, request, office }) => {
      const invoices = await importInvoices(office, {});
      await signIn(page, await makeCustomer(request, { invoices, cards: [GOOD_CARD] }));
      await choose(page, ...invoices);
      await acceptTerms(page);
      await payButton(page).click();
      await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
    });
  });
}
