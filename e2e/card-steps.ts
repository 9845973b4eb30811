import type { Page } from '@playwright/test';
import { fillCard, GOOD_CARD } from './guest-payment-steps.ts';
import { inDatabase } from './support/database.ts';
import type { Person } from './support/people.ts';
import { expect } from './support/test.ts';

/** Fills `/payment-methods/add`, without pressing the button. */
export async function fillNewCard(page: Page, number: string = GOOD_CARD): Promise<void> {
  await fillCard(page, number);
  await page.getByLabel('Street').fill('12 Juniper Lane');
  await page.getByLabel('Postal code').fill('78701');
}

export async function pressAdd(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
}

/** Saves a card through the screen, for a signed-in person with a location. */
export async function addCard(page: Page, number: string = GOOD_CARD): Promise<void> {
  await page.goto('/payment-methods/add');
  await fillNewCard(page, number);
  await pressAdd(page);
  await expect(page).toHaveURL('/payment-methods');
  await expect(page.getByRole('status').filter({ hasText: 'Payment method added' })).toBeVisible();
}

/** Makes this person's cards expire. */
export const letCardsExpire = (person: Person) => updateCards(person, `expires_month = '2025-03-01'`);

/** Makes this person's cards unreadable, as after the loss of their data key. */
export const loseKeyOfCards = (person: Person) =>
  updateCards(person, `card_token = regexp_replace(card_token, '^2\\.[^.]+\\.', '2.lostkey0.')`);

async function updateCards({ email }: Person, change: string): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `UPDATE payment_method SET ${change} WHERE user_id = (SELECT id FROM app_user WHERE email = $1)`,
      [email],
    ),
  );
}
