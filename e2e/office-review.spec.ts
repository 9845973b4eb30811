import type { Locator, Page } from '@playwright/test';
import { importInvoice } from './guest-payment-steps.ts';
import {
  leaveInReview,
  leaveUnresolved,
  payByHand,
  plantDifference,
  plantFoundPayment,
  READ_IN_TURN,
} from './review-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { inDatabase } from './support/database.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Room for READ_IN_TURN.
test.describe.configure({ timeout: 300_000 });

const PHONE = { width: 390, height: 844 };

const CHANGED = 'This has changed since you looked. Look at it again, then acknowledge it.';

const REFUSED = 'The provider’s records do not prove this. Nothing was changed.';

/** Waits for the heading, which comes before the parts that load separately. */
async function openReview(page: Page): Promise<void> {
  await page.goto('/office/review');
  await expect(heading(page)).toHaveText('Review');
  await expect(page.getByText('Loading…')).toHaveCount(0);
}

test('a charge that nobody could rule out is listed with what can be done about it', async ({
  page,
  office,
}) => {
  const invoice = await importInvoice(office);
  const orderId = await leaveUnresolved(invoice);
  await openConsole(page);
  await page.getByRole('link', { name: 'Review' }).click();
  const row = page.getByRole('table', { name: 'Charges' }).getByRole('row', { name: orderId }).first();
  await expect(row).toContainText('Hold unclear');
  await expect(row).toContainText('$108.25');
  await expect(row.getByRole('link', { name: String(invoice.workOrderNumber) })).toBeVisible();
  await expectGood(page, 'review');
});

test('a difference is found and acknowledged by keyboard', async ({ page }) => {
  const orderId = await payByHand('12.00');
  await openConsole(page);
  await openReview(page);
  const compare = page.getByRole('button', { name: 'Compare now' });
  await compare.focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('table', { name: 'Differences' }).getByRole('row', { name: orderId }).first();
  await expect(row).toContainText('Not in our books', READ_IN_TURN);
  await expect(row).toContainText('$12.00');
  await expect(
    page.getByText(/^Last compared .+ [AP]M( UTC)?, (in)?complete, \d+ differences?\.$/),
  ).toBeVisible();
  await expectAccessible(page);

  const acknowledge = page.getByRole('button', { name: `Acknowledge: Not in our books, order ${orderId}` });
  await acknowledge.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Acknowledge $12.00' });
  await expect(dialog).toBeVisible();
  await expectGood(page, 'difference-acknowledge');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(acknowledge).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Note').focus();
  const note = `A sale at the counter, ${orderId}.`;
  await page.keyboard.type(note);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(acknowledge).toHaveCount(0);

  // The URL with acknowledged differences shows what was noted.
  const shown = page.getByRole('link', { name: 'Show acknowledged' });
  await shown.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/state=acknowledged/);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(page.getByText(note)).toBeVisible();
  await expectGood(page, 'review-acknowledged');
});

/** Presses **Acknowledge**: refused each time, as what the dialog showed when it opened is not what stands there. */
async function pressRefused(dialog: Locator, times: number): Promise<void> {
  for (let pressed = 0; pressed < times; pressed += 1) {
    const answer = dialog.page().waitForResponse((each) => each.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    expect((await answer).status()).toBe(409);
    await expect(dialog.getByRole('alert')).toHaveText(CHANGED);
  }
}

test('a difference whose amount has changed is not acknowledged until the dialog was opened anew', async ({
  page,
}) => {
  const orderId = await plantDifference(1200);
  await openConsole(page);
  await openReview(page);
  const row = page.getByRole('table', { name: 'Differences' }).getByRole('row', { name: orderId }).first();
  const acknowledge = page.getByRole('button', { name: `Acknowledge: Not in our books, order ${orderId}` });
  await acknowledge.click();
  await inDatabase((client) =>
    client.query('UPDATE book_difference SET amount_cents = 120000 WHERE order_id = $1', [orderId]),
  );
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('A sale at the counter.');
  await pressRefused(dialog, 2);
  await expect(dialog).toHaveAccessibleName('Acknowledge $12.00');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('$1,200.00');
  await acknowledge.click();
  await expect(dialog).toHaveAccessibleName('Acknowledge $1,200.00');
  await dialog.getByLabel('Note').fill('Looked at again.');
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(acknowledge).toHaveCount(0);
});

test('a found payment that has changed is not acknowledged until the dialog was opened anew', async ({
  page,
}) => {
  const orderId = await plantFoundPayment(1300);
  await openConsole(page);
  await openReview(page);
  const acknowledge = page.getByRole('button', { name: `Acknowledge: order ${orderId}` });
  await acknowledge.click();
  await inDatabase((client) =>
    client.query(`UPDATE found_payment SET state = 'captured' WHERE order_id = $1`, [orderId]),
  );
  const dialog = page.getByRole('dialog', { name: 'Acknowledge $13.00' });
  await pressRefused(dialog, 2);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await acknowledge.click();
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(acknowledge).toHaveCount(0);
});

test('a charge is decided by mouse: closing is refused while it has a hold, so the hold is released', async ({
  page,
  office,
}) => {
  const orderId = await leaveUnresolved(await importInvoice(office));
  await openConsole(page);
  await openReview(page);
  await page.getByRole('button', { name: `Close: order ${orderId}` }).click();
  const closing = page.getByRole('dialog', { name: 'Close: $108.25' });
  await closing.getByLabel('Note').fill('Nothing is there, I think.');
  await closing.getByRole('button', { name: 'Close' }).click();
  await expect(closing.getByRole('alert')).toHaveText(REFUSED, READ_IN_TURN);
  await expect(closing.getByLabel('Note')).toHaveValue('Nothing is there, I think.');
  await expectGood(page, 'review-refused');
  await expect(closing.getByRole('alert')).toBeVisible();
  await closing.getByRole('button', { name: 'Cancel' }).click();
  await expect(closing).toBeHidden();

  await page.getByRole('button', { name: `Give the hold back: order ${orderId}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Give the hold back: $108.25' });
  await expect(dialog.getByText('If a hold is there, we give it back.')).toBeVisible();
  await expect(dialog.getByText('This never collects money.')).toBeVisible();
  await dialog.getByLabel('Note').fill('Seen at the provider.');
  await dialog.getByRole('button', { name: 'Give the hold back' }).click();
  await expect(dialog).toBeHidden(READ_IN_TURN);
  await expect(page.getByText(/^The hold (is being|was) given back\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: `Give the hold back: order ${orderId}` })).toHaveCount(0);
});

test('a conflict is ended by what a person saw at the provider, with a note', async ({ page, office }) => {
  const orderId = await leaveInReview(await importInvoice(office), 'conflict');
  await openConsole(page);
  await openReview(page);
  const row = page.getByRole('table', { name: 'Charges' }).getByRole('row', { name: orderId }).first();
  await expect(row).toContainText('Another charge has its transaction');
  const button = page.getByRole('button', { name: `Nothing was taken: order ${orderId}` });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Nothing was taken: $108.25' });
  await expect(dialog.getByText("You have looked in the provider's own console")).toBeVisible();
  await dialog.getByRole('button', { name: 'Nothing was taken' }).click();
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await expectGood(page, 'review-testimony');
  await dialog.getByLabel('Note').fill('Both orders looked at: nothing under this one.');
  await dialog.getByRole('button', { name: 'Nothing was taken' }).click();
  await expect(dialog).toBeHidden(READ_IN_TURN);
  await expect(button).toHaveCount(0);
});

test('on a phone each charge is a card with the same decisions', async ({ page, office }) => {
  await page.setViewportSize(PHONE);
  const orderId = await leaveUnresolved(await importInvoice(office));
  await openConsole(page);
  await openReview(page);
  const card = page.getByRole('group', { name: orderId });
  await expect(card).toContainText('$108.25');
  await expectAccessible(page);
  await card.getByRole('button', { name: /^Give the hold back/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Give the hold back: $108.25' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Give the hold back' }).click();
  await expect(dialog).toBeHidden(READ_IN_TURN);
  await expect(card).toHaveCount(0);
});
