import type { Locator, Page } from '@playwright/test';
import { expect } from './support/test.ts';

/**
 * Twelve test numbers: every brand, 13 to 19 digits. None is how a fraction begins: 19/45 is 0.4222222222222, and a
 * portal's memory is full of fractions.
 */
export const CARD_NUMBERS = [
  '4000100011112224',
  '4716039285173',
  '4000000000000000006',
  '5555444433332226',
  '2223000048400011',
  '371122223332225',
  '6011222233332224',
  '30569309025904',
  '3530111333300000',
  '6200000000000005',
  '6205500000000000004',
  '6304000000000000',
];

/**
 * Numbers planted where a search must find them. Nobody types these, so a canary that stays behind (in a mail, in the
 * write-ahead log) isn't mistaken for typed input in a later run.
 */
export const CANARIES = {
  visa: '4712983405612738',
  master: '5482190735614286',
  amex: '374829105638274',
  discover: '6011739205846139',
  diners: '30517483920614',
  jcb: '3538192047563820',
  unionPay: '6219483705619247',
  maestro: '6304182739504625',
} as const;

const REFUSAL = 'Please take the card number out of this field.';

const SPELLINGS: ((digits: string) => string)[] = [
  (digits) => digits,
  (digits) => digits.replace(/(\d{4})(?=\d)/g, '$1 '),
  (digits) => digits.replace(/(\d{4})(?=\d)/g, '$1-'),
  (digits) => `my card ${digits} please`,
];

/** The text fields of our own page that accept input now. The card provider's fields are in its frame. */
export function textFields(page: Page): Locator {
  return page.locator(
    'input:visible:enabled:not([type=checkbox], [type=radio], [type=hidden]), textarea:visible:enabled',
  );
}

/** Types card numbers into every text field, like somebody who doesn't know where theirs belongs. */
export async function typeEverywhere(page: Page): Promise<{ refused: number }> {
  await expect(page.locator('[autocomplete*="cc-"]')).toHaveCount(0);
  const fields = await textFields(page).all();
  expect(fields.length).toBeGreaterThan(0);
  let refused = 0;
  for (const [index, field] of fields.entries()) {
    const digits = CARD_NUMBERS[index % CARD_NUMBERS.length] ?? '';
    const type = await field.getAttribute('type');
    if (type === 'number') {
      // Text that isn't an amount counts as 0; a real amount keeps its related fields open.
      await field.fill(digits);
      await field.fill('1');
    } else {
      const spell = SPELLINGS[index % SPELLINGS.length] ?? String;
      await field.fill(type === 'email' ? `${digits}@example.com` : spell(digits));
      refused += 1;
    }
  }
  return { refused };
}

/** Every field that was typed into shows its own error. */
export async function expectRefused(page: Page, { refused }: { refused: number }): Promise<void> {
  await expect(page.locator('input[aria-invalid=true], textarea[aria-invalid=true]')).toHaveCount(refused);
  await expect(page.getByText(REFUSAL).first()).toBeVisible();
}
