import type { Page } from '@playwright/test';
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
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/**
 * Does what a browser's translation does to the page, from now on and until it is loaded anew: each text gives way to
 * elements around another one. Here that has the same words.
 */
async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translations = new WeakSet<Node>();
    const translate = (text: Text) => {
      const isWords = text.data.trim() !== '' && text.parentElement?.closest('script, style, title') === null;
      if (!isWords || translations.has(text)) return;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      const translation = document.createTextNode(text.data);
      translations.add(translation);
      inner.append(translation);
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) translate(text);
    };
    translateAll(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const added of addedNodes) translateAll(added);
    }).observe(document.body, { subtree: true, childList: true });
  });
}

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

for (const [storage, spoil] of [
  [
    'no room to store anything',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('no room', 'QuotaExceededError');
      };
    },
  ],
  [
    'no storage',
    () => {
      for (const kind of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, kind, { value: null });
      }
    },
  ],
] as const) {
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
