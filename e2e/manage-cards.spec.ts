import type { Page, Route } from '@playwright/test';
import { addCard, fillNewCard, letCardsExpire, pressAdd } from './card-steps.ts';
import { cardFrame, fillCard, GOOD_CARD, waitForCardField } from './guest-payment-steps.ts';
import { addLocation } from './location-steps.ts';
import { changeOnce, holdCall, loseAnswer } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { makeAccount, type Person, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { test as base, expect } from './support/test.ts';

const DECLINED = 'Unable to add payment method: Insufficient funds (F51). Your card was not charged.';
const NO_REASON = 'Unable to add payment method: Something went wrong. Please try again.';
const ADDED = 'Payment method added';
const DELETED_SINCE =
  'Unable to add payment method: This card was added earlier and has been deleted since. Press Add Payment Method again to add it.';
const MASTERCARD = '5555444433332226';

const test = base.extend<{ newcomer: Person; person: Person }>({
  /** The person signed in on `page`, who has no location. */
  newcomer: async ({ page, request }, use) => {
    const newcomer = await makeAccount(request);
    await signIn(page, newcomer);
    await use(newcomer);
  },
  /** The person signed in on `page`, with one location and no card. */
  person: async ({ page, newcomer, office }, use) => {
    const [invoice] = await office.importInvoices({});
    await addLocation(page, invoice);
    await use(newcomer);
  },
});

const list = (page: Page) => page.getByRole('navigation', { name: 'Saved cards' }).getByRole('link');

/** Expects the outcome, with the focus on it. */
async function expectOutcome(page: Page, role: 'alert' | 'status', text: string | RegExp): Promise<void> {
  const outcome = page.getByRole(role).filter({ hasText: text });
  await expect(outcome).toHaveText(text);
  await expect(outcome).toBeFocused();
}

async function openCard(page: Page, name: string): Promise<void> {
  await page.goto('/payment-methods');
  await list(page).filter({ hasText: name }).click();
  await expect(page.getByRole('region', { name })).toBeVisible();
}

test.describe('without a location', () => {
  test('the cards’ page leads to adding one first', async ({ page, newcomer: _ }) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Payment Methods' }).click();
    await expect(page).toHaveURL('/payment-methods');
    await expect(page).toHaveTitle('Payment Methods');
    await expect(page.getByRole('heading', { name: 'No locations' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add Payment Method' })).toHaveCount(0);
    await expectFits(page, 'payment-methods-no-locations');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a location first' }).click();
    await expect(page).toHaveURL('/locations/add');
  });

  test('no card can be added', async ({ page, newcomer: _ }) => {
    await page.goto('/payment-methods/add');
    await expect(page).toHaveURL('/payment-methods');
    await expect(page.getByRole('heading', { name: 'No locations' })).toBeVisible();
  });
});

test('a card is added, looked at and deleted with the keyboard alone', async ({ page, person: _ }) => {
  await page.goto('/payment-methods');
  await expect(page.getByRole('heading', { name: 'No Payment Methods' })).toBeVisible();
  await expectFits(page, 'payment-methods-none');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Add Payment Method' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/payment-methods/add');
  await expect(page).toHaveTitle('Add Payment Method');
  await expect(heading(page)).toBeFocused();
  await waitForCardField(page);
  await page.keyboard.press('Tab');
  for (const text of [GOOD_CARD, '1235', '123', '12 Juniper Lane', '78701']) {
    await page.keyboard.type(text);
    if (text !== '78701') await page.keyboard.press('Tab');
  }
  await expect(page.getByLabel('Street')).toHaveValue('12 Juniper Lane');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/payment-methods');
  await expectOutcome(page, 'status', ADDED);
  await expect(page.getByRole('heading', { name: 'Manage payment methods' })).toBeVisible();
  await expectFits(page, 'payment-methods');
  await expectAccessible(page);

  await list(page).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/payment-methods\/[\w-]+$/);
  await expect(page).toHaveTitle('Payment Method');
  const details = page.getByRole('region', { name: 'Visa ending in 2224' });
  await expect(details.getByText('Visa', { exact: true })).toBeVisible();
  await expect(details.getByText('xxxx2224')).toBeVisible();
  await expect(details.getByText('12/2035')).toBeVisible();
  await expect(list(page)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText('Expired')).toHaveCount(0);
  await expectFits(page, 'payment-method');
  await expectAccessible(page);

  const remove = page.getByRole('button', { name: 'Delete Payment Method' });
  await remove.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete this card?' });
  await expect(dialog).toContainText('Visa ending in 2224');
  await expectFits(page, 'payment-method-deleting');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeEnabled();

  await remove.focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete Payment Method' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/payment-methods');
  await expectOutcome(page, 'status', 'Payment method removed');
  await expect(page.getByRole('heading', { name: 'No Payment Methods' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No Payment Methods' })).toBeVisible();
  await expect(page.getByText('Payment method removed')).toHaveCount(0);
});

test('Delete asks again although the question was closed in the very same moment', async ({
  page,
  person: _,
}) => {
  await addCard(page);
  await openCard(page, 'Visa ending in 2224');
  const remove = page.getByRole('button', { name: 'Delete Payment Method' });
  const dialog = page.getByRole('dialog', { name: 'Delete this card?' });
  await remove.click();
  await expect(dialog).toBeVisible();
  // As when Escape and Enter follow quickly: the press comes before the dialog's `close` event.
  await page.evaluate(async () => {
    document.querySelector('dialog[open]')?.closest('dialog')?.requestClose();
    await Promise.resolve();
    document.querySelector<HTMLButtonElement>('main button.btn-outline:not(dialog *)')?.click();
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});

test('the question stays open until the card is deleted', async ({ page, person: _ }) => {
  await addCard(page);
  await openCard(page, 'Visa ending in 2224');
  await page.getByRole('button', { name: 'Delete Payment Method' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this card?' });
  const turns = await dialog.evaluateHandle((element) => {
    const seen: boolean[] = [];
    const look = () => element.isConnected && seen.push((element as HTMLDialogElement).open);
    new MutationObserver(look).observe(element, { attributeFilter: ['open'] });
    return seen;
  });
  await dialog.getByRole('button', { name: 'Delete Payment Method' }).click();
  await expectOutcome(page, 'status', 'Payment method removed');
  // It closes with its page, and not before.
  expect(await turns.jsonValue()).toEqual([]);
});

test('several cards stand beside the one that is looked at; a narrow screen shows one at a time', async ({
  page,
  person: _,
}) => {
  await addCard(page);
  await addCard(page, MASTERCARD);
  await openCard(page, 'Mastercard ending in 2226');
  await expect(list(page)).toHaveText([/Visa ending in 2224/, /Mastercard ending in 2226/]);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Mastercard ending in 2226' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'All payment methods' })).toBeHidden();
  await expectFits(page, 'payment-methods-two');

  await page.setViewportSize({ width: 390, height: 780 });
  await expect(list(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'All payment methods' }).click();
  await list(page).first().click();
  await expect(page.getByRole('region', { name: 'Visa ending in 2224' })).toBeVisible();
});

test.describe('adding a card', () => {
  test.beforeEach(async ({ page, person: _ }) => {
    await page.goto('/payment-methods/add');
  });

  test('that the bank declines says so, keeps what was typed, and takes another card at once', async ({
    page,
  }) => {
    await fillNewCard(page, '4000300611112224');
    await pressAdd(page);
    await expectOutcome(page, 'alert', DECLINED);
    await expect(page.getByLabel('Street')).toHaveValue('12 Juniper Lane');
    await expect(page.getByLabel('Postal code')).toHaveValue('78701');
    await expect(cardFrame(page).getByLabel('Expiration')).toHaveValue('12 / 35');
    await expectFits(page, 'add-payment-method-declined');
    await expectAccessible(page);

    await fillCard(page);
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
    await expect(list(page)).toHaveCount(1);
  });

  test('asks for everything that is required', async ({ page }) => {
    await expectFits(page, 'add-payment-method');
    await fillCard(page);
    for (const label of ['Street', 'Postal code']) {
      await pressAdd(page);
      await expect(page.getByLabel(label)).toBeFocused();
      await page.getByLabel(label).fill('1');
    }
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
  });

  test('explains under a field what the server finds wrong with it', async ({ page }) => {
    await fillNewCard(page);
    await page.getByLabel('Postal code').fill('7'.repeat(21));
    await pressAdd(page);
    await expect(page.getByRole('alert')).toHaveText(/^Unable to add payment method: /);
    await expect(page.getByLabel('Postal code')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Postal code')).toHaveAccessibleDescription(
      'Please shorten your postal code to 20 characters.',
    );
  });

  test('explains under the card field what is wrong with the card', async ({ page }) => {
    await fillNewCard(page, '4000100011112225');
    await pressAdd(page);
    const errors = page.getByRole('group', { name: 'Card details' }).getByRole('alert');
    await expect(errors).toHaveText('Check the card number: a digit is wrong or missing.');
    await expectFits(page, 'add-payment-method-card-error');
    await expectAccessible(page);
    await fillCard(page);
    await expect(errors).toHaveCount(0);
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
  });

  test('explains under the card field what the server finds wrong with the card', async ({ page }) => {
    await fillNewCard(page);
    await changeOnce(page, '**/usaepay/portal/paymentmethods', { maskedCard: 'unknown' });
    await pressAdd(page);
    await expectOutcome(page, 'alert', /^Unable to add payment method: /);
    const field = page.getByRole('group', { name: 'Card details' });
    await expect(field).toHaveAccessibleDescription('Please enter your card again.');
    await expect(field.getByText('Please enter your card again.')).toBeVisible();
    await expectFits(page, 'add-payment-method-wrong-card');
    await expectAccessible(page);
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
  });

  test('locks the form while the card processor thinks, and says so when it takes long', async ({ page }) => {
    await fillNewCard(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/usaepay/portal/paymentmethods', async (route) => {
      await answer.promise;
      await route.fallback();
    });
    const button = page.getByRole('button', { name: /^(Add Payment Method|Adding)/ });
    const width = (await button.boundingBox())?.width;
    await pressAdd(page);
    await expect(button).toHaveText(/Adding…/);
    await expect(button).toBeDisabled();
    await expect(page.getByLabel('Street')).toBeDisabled();
    await expect(page.getByText('Please do not close this page.')).toBeVisible();
    expect((await button.boundingBox())?.width).toBe(width);
    await expect(page.getByText('Still working with the card processor…')).toBeVisible();
    await expectFits(page, 'add-payment-method-waiting');
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
    await expect(dialog).toContainText('look for it under Payment Methods');
    await dialog.getByRole('button', { name: 'Stay' }).click();
    answer.resolve();
    await expectOutcome(page, 'status', ADDED);
  });

  test('stands in the list that somebody went on to, once it is saved', async ({ page }) => {
    await addCard(page, MASTERCARD);
    await page.getByRole('link', { name: 'Add Payment Method' }).click();
    await fillNewCard(page);
    const saving = await holdCall(page, '**/usaepay/portal/paymentmethods', 'POST');
    await pressAdd(page);
    await saving.asked;
    const menu = page.getByRole('navigation', { name: 'Portal' });
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
    await menu.getByRole('link', { name: 'Payment Methods' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await list(page).filter({ hasText: 'Mastercard' }).click();
    await expect(page.getByRole('region', { name: /^Mastercard/ })).toBeVisible();
    await expect(list(page)).toHaveCount(1);
    saving.goOn();
    await expect(list(page)).toHaveCount(2);
  });

  test('can be paid with on the list that somebody went on to, once it is saved', async ({ page }) => {
    await page.goto('/payment-methods/add');
    await fillNewCard(page);
    const saving = await holdCall(page, '**/usaepay/portal/paymentmethods', 'POST');
    await pressAdd(page);
    await saving.asked;
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Invoices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByText('No Payment Methods')).toBeVisible();
    saving.goOn();
    await expect(page.getByLabel('Payment method').getByRole('option', { selected: true })).toHaveText(
      'Visa ending in 2224',
    );
  });

  test('whose answer is lost, and which is then deleted, can be added again', async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED|Unable to add|status of 409/);
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/usaepay/portal/paymentmethods', loseAnswer, { times: 1 });
    await fillNewCard(page);
    await pressAdd(page);
    await expectOutcome(page, 'alert', NO_REASON);
    await openCard(page, 'Visa');
    await page.getByRole('button', { name: 'Delete Payment Method' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Payment Method' }).click();
    await expectOutcome(page, 'status', 'Payment method removed');
    await page.goto('/payment-methods/add');
    await fillNewCard(page);
    await pressAdd(page);
    await expectOutcome(page, 'alert', DELETED_SINCE);
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
    await expect(list(page)).toHaveCount(1);
  });

  test('whose answer is lost can be pressed again, and saves the card once', async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    await fillNewCard(page);
    await page.route(
      '**/usaepay/portal/paymentmethods',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await pressAdd(page);
    await expectOutcome(page, 'alert', NO_REASON);
    await pressAdd(page);
    await expectOutcome(page, 'status', ADDED);
    await expect(list(page)).toHaveCount(1);
  });

  test('again and again with declined cards is stopped for a while', async ({ page }) => {
    await fillNewCard(page, '4000300611112224');
    for (let decline = 0; decline < 5; decline++) {
      const answered = page.waitForResponse('**/usaepay/portal/paymentmethods');
      await pressAdd(page);
      await answered;
      await expectOutcome(page, 'alert', DECLINED);
    }
    await fillCard(page);
    await pressAdd(page);
    await expectOutcome(
      page,
      'alert',
      /^Unable to add payment method: Too many cards were tried\. Wait \d+ \w+, then try again\.$/,
    );
  });

  test('can be left', async ({ page }) => {
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/payment-methods');
  });
});

test('a card that has expired is marked', async ({ page, person }) => {
  await addCard(page);
  await letCardsExpire(person);
  await page.goto('/payment-methods');
  await expect(list(page)).toHaveText(/Expired/);
  await list(page).click();
  const details = page.getByRole('region', { name: 'Visa ending in 2224' });
  await expect(details.getByText('03/2025')).toBeVisible();
  await expect(details).toContainText('This card cannot pay any more.');
  await expectFits(page, 'payment-method-expired');
  await expectAccessible(page);
});

test('a card that cannot be deleted stays on the screen, with the reason to try again', async ({
  page,
  person: _,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await addCard(page);
  await openCard(page, 'Visa ending in 2224');
  const dialog = page.getByRole('dialog');
  const remove = page.getByRole('button', { name: 'Delete Payment Method' });
  await context.setOffline(true);
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete Payment Method' }).click();
  await expectOutcome(page, 'alert', 'Unable to remove payment method');
  await expect(dialog).toBeHidden();
  await expectFits(page, 'payment-method-not-deleted');
  await expectAccessible(page);

  await context.setOffline(false);
  await test.step('so does one whose deletion lost its answer; the next try then says that it is gone', async () => {
    await loseAnswer(page, '**/portal/paymentmethods/*');
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete Payment Method' }).click();
    await expectOutcome(page, 'alert', 'Unable to remove payment method');
  });
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete Payment Method' }).click();
  await expectOutcome(page, 'status', 'Payment method removed');
});

test('a card that was deleted in another tab cannot be deleted again', async ({
  page,
  person: _,
  context,
}) => {
  await addCard(page);
  await openCard(page, 'Visa ending in 2224');
  const other = await context.newPage();
  await other.goto(page.url());
  for (const tab of [other, page]) {
    await tab.getByRole('button', { name: 'Delete Payment Method' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete Payment Method' }).click();
    if (tab === other) await expectOutcome(tab, 'status', 'Payment method removed');
  }
  await expectOutcome(page, 'alert', 'Unable to remove payment method');
});

test('somebody else’s card and no card at all lead to the same error page', async ({
  page,
  person: _,
  openWindow,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/Payment method not found/);
  await addCard(page);
  await openCard(page, 'Visa ending in 2224');
  const foreign = new URL(page.url()).pathname;
  const other = await openWindow();
  await signIn(other, await makeAccount(request));
  for (const path of [foreign, '/payment-methods/1']) {
    await other.goto(path);
    await expect(heading(other)).toHaveText('Oops, an unexpected error has occurred.');
  }
  await other.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(other).toHaveURL('/invoices');
});
