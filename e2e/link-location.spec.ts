import { addLocation, numbersOf, submitNumbers } from './location-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { mailsTo, readMail } from './support/mailbox.ts';
import { makeAccount, type Person, signIn } from './support/people.ts';
import { expectFits } from './support/screens.ts';
import { test as base, expect } from './support/test.ts';

const NOT_FOUND = 'Location not found';
const FAILED = 'Unable to associate location';
const MAIL = 'location was added';

const test = base.extend<{ person: Person }>({
  /** The person signed in on `page`, who has no location. */
  person: async ({ page, request }, use) => {
    const person = await makeAccount(request);
    await signIn(page, person);
    await use(person);
  },
});

test('adding a location by keyboard shows its invoices and sends a mail', async ({
  page,
  person,
  office,
}) => {
  const [invoice] = await office.importInvoices({});
  await page.getByRole('navigation').getByRole('link', { name: 'Add Location' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/locations/add');
  await expect(page).toHaveTitle('Add Location');
  await expect(page.getByRole('heading', { level: 1, name: 'Add Location' })).toBeFocused();
  await expectFits(page, 'add-location');
  await expectAccessible(page);

  await page.getByLabel('Franchise #').focus();
  await page.keyboard.type(` ${invoice.franchiseId} `);
  await page.keyboard.press('Tab');
  await page.keyboard.type(`${invoice.workOrderNumber}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type(invoice.zipCode);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('status').filter({ hasText: 'Location added' })).toBeFocused();
  await expect(page.getByText(invoice.addressLine1).first()).toBeVisible();
  await readMail({ to: person.email, subject: MAIL });

  await page.goBack();
  await expect(page).not.toHaveURL('/locations/add');
});

for (const [name, change] of [
  ['another zip code', { zip: '78702' }],
  ['another work order', { workOrder: '9999999' }],
  ['another franchise', { franchise: '999999998' }],
] as const) {
  test(`${name} finds no location, in the same words, and what was typed stays`, async ({
    page,
    person: _,
    office,
  }) => {
    const [invoice] = await office.importInvoices({});
    const numbers = { ...numbersOf(invoice), ...change };
    await page.goto('/locations/add');
    await submitNumbers(page, numbers);
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(NOT_FOUND);
    await expect(alert).toBeFocused();
    await expect(page.getByLabel('Franchise #')).toHaveValue(numbers.franchise);
    await expect(page.getByLabel('Work Order #')).toHaveValue(numbers.workOrder);
    await expect(page.getByLabel('Zip Code')).toHaveValue(numbers.zip);
  });
}

for (const [label, change, message] of [
  ['Franchise #', { franchise: 'abc' }, 'Invalid franchise number'],
  ['Franchise #', { franchise: '0' }, 'Invalid franchise number'],
  ['Work Order #', { workOrder: 'abc' }, 'Invalid work order number'],
  ['Work Order #', { workOrder: '0' }, 'Invalid work order number'],
] as const) {
  test(`${label} ${Object.values(change)} is refused, there too`, async ({ page, person: _, office }) => {
    const [invoice] = await office.importInvoices({});
    await page.goto('/locations/add');
    await submitNumbers(page, { ...numbersOf(invoice), ...change });
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(message);
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');

    await submitNumbers(page, numbersOf(invoice));
    await expect(page).toHaveURL('/invoices');
  });
}

test('a location that was refused can be read by everyone and fits', async ({ page, person: _ }) => {
  await page.goto('/locations/add');
  await submitNumbers(page, { franchise: 'abc', workOrder: '1', zip: '1' });
  await expect(page.getByRole('alert')).toBeVisible();
  await expectFits(page, 'add-location-refused');
  await expectAccessible(page);
});

test('all three numbers are asked for', async ({ page, person: _ }) => {
  await page.goto('/locations/add');
  for (const label of ['Franchise #', 'Work Order #', 'Zip Code']) {
    await page.getByRole('button', { name: 'Add Location' }).click();
    await expect(page.getByLabel(label)).toBeFocused();
    await page.getByLabel(label).fill('1');
  }
});

test('who guesses is stopped for a while, even with the right numbers', async ({
  page,
  person: _,
  office,
}) => {
  const [invoice] = await office.importInvoices({});
  await page.goto('/locations/add');
  for (let miss = 0; miss < 5; miss++) {
    const answered = page.waitForResponse('**/user/location');
    await submitNumbers(page, { ...numbersOf(invoice), zip: `9000${miss}` });
    await answered;
    await expect(page.getByRole('alert')).toHaveText(NOT_FOUND);
    await expect(page.getByRole('alert')).toBeFocused();
  }
  await submitNumbers(page, numbersOf(invoice));
  await expect(page.getByRole('alert')).toHaveText(
    new RegExp(`^${FAILED}\\. Too many tries\\. Wait \\d+ \\w+, then try again\\.$`),
  );
});

test('without a connection nothing is added, and with one again it is', async ({
  page,
  person: _,
  office,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const [invoice] = await office.importInvoices({});
  await page.goto('/locations/add');
  await expect(page.getByLabel('Franchise #')).toBeVisible();
  await context.setOffline(true);
  await submitNumbers(page, numbersOf(invoice));
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Add Location' }).click();
  await expect(page).toHaveURL('/invoices');
});

test('a location that is one’s own already is added without a word more', async ({
  page,
  person,
  office,
}) => {
  const [invoice] = await office.importInvoices({});
  await addLocation(page, invoice);
  await readMail({ to: person.email, subject: MAIL });
  await addLocation(page, invoice);
  const told = (await mailsTo(person.email)).filter(({ subject }) => subject.includes(MAIL));
  expect(told).toHaveLength(1);
});

test('Cancel leads to the invoices', async ({ page, person: _ }) => {
  await page.goto('/locations/add');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/invoices');
});
