import type { Page } from '@playwright/test';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { newPerson } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

async function confirmAsDemo(page: Page, act: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog.getByText(act)).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm as the demo' }).click();
}

test('a franchise is changed, and the audit shows what was before and after', async ({ page, office }) => {
  await office.importInvoices({});
  const invited = { franchiseId: office.franchiseId, customerNumber: 1, email: newPerson().email };
  await office.send('POST', '/office/invitations', invited);
  await openConsole(page);
  await page.goto(`/office/settings/franchise?franchiseId=${office.franchiseId}`);
  await expect(heading(page)).toHaveText(`Franchise ${office.franchiseId}`);
  await page.getByLabel('Phone').fill('+1 708 555 0100');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await page.getByLabel('Largest credit').fill('40');
  await page.getByRole('button', { name: 'Save the largest credit' }).click();
  await confirmAsDemo(page, 'Change the largest credit of Clearwater Windows');
  const ofHeadquarters = page.locator('form').filter({ has: page.getByLabel('Largest credit') });
  await expect(ofHeadquarters.getByText('Saved.')).toBeVisible();
  await expect(page.getByText('Saved.')).toHaveCount(1);
  await expectGood(page, 'franchise');

  await page.goto(`/office/audit?franchiseId=${office.franchiseId}`);
  await expect(heading(page)).toHaveText('Audit');
  await page.getByText('Before and after').first().click();
  await expect(page.getByRole('row', { name: /Largest credit \d+% 40%/ })).toBeVisible();
  await page.getByText('Details of Invite').click();
  await expect(page.getByText(`Person: ${invited.email}`)).toBeVisible();
  await expectGood(page, 'audit');

  // Filters are in the URL, and an invalid one keeps the rows.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel('Who').fill('nobody-of-this-name');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await expectGood(page, 'audit-nothing');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table', { name: 'Audit' })).toBeVisible();
  await page.getByLabel('From').fill('2026-11-30');
  await page.getByLabel('To').fill('2026-11-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('From must not be after To.')).toBeVisible();
  await expectGood(page, 'audit-bad-filter');
});

test('headquarters set the limits of refunds; what is refused stays as it was typed', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  await page.goto(`/office/settings/franchise?franchiseId=${office.franchiseId}`);
  const limits = page.getByRole('form', { name: 'Refund limits' });
  const ofPayment = limits.getByLabel('Refunds of one payment');
  const ofDay = limits.getByLabel('Refunds on one day');
  const save = limits.getByRole('button', { name: 'Save the refund limits' });
  await expect(ofPayment).toHaveValue('200.00');
  await expect(ofDay).toHaveValue('1000.00');
  await ofPayment.fill('54.135');
  await ofDay.fill('500');
  await save.click();
  await expect(limits.getByText('Please enter a limit between 0.00 and 99,999.00.')).toBeVisible();
  await expect(ofPayment).toHaveValue('54.135');
  await expect(ofDay).toHaveValue('500');
  await expectGood(page, 'refund-limits-refused');

  await ofPayment.fill('54.13');
  await ofDay.fill('1,500.50');
  await save.click();
  await confirmAsDemo(page, 'Change the refund limits of Clearwater Windows');
  await expect(limits.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(ofPayment).toHaveValue('54.13');
  await expect(ofDay).toHaveValue('1500.50');
});

test('two people change a franchise: the second sees the first’s change, and keeps what was typed', async ({
  page,
  office,
  openWindow,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  const address = `/office/settings/franchise?franchiseId=${office.franchiseId}`;
  await page.goto(address);
  await page.getByLabel('Phone').fill('+1 708 555 0101');
  const other = await openWindow();
  await openConsole(other);
  await other.goto(address);
  await other.getByLabel('Address').fill('12 Lake Street');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Somebody changed this meanwhile. Look at it again, then save.',
  );
  await expect(page.getByLabel('Phone')).toHaveValue('+1 708 555 0101');
  // The other person's change is shown, and saving again keeps both.
  await expect(page.getByLabel('Address')).toHaveValue('12 Lake Street');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await other.reload();
  await expect(other.getByLabel('Phone')).toHaveValue('+1 708 555 0101');
  await expect(other.getByLabel('Address')).toHaveValue('12 Lake Street');
});

test('an address of two lines keeps them when another field is saved, and is shown as somebody else left it', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const path = `/office/franchises/${office.franchiseId}`;
  const stored = async () => (await office.send('GET', path)) as { phone: string; address: string };
  await office.send('PUT', path, { address: '12 Lake Street\nOak Park, IL 60301' });
  await openConsole(page);
  await page.goto(`/office/settings/franchise?franchiseId=${office.franchiseId}`);
  const address = page.getByLabel('Address');
  await expect(address).toHaveValue('12 Lake Street\nOak Park, IL 60301');
  await page.getByLabel('Phone').fill('+1 708 555 0102');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  const saved = page.getByRole('status').filter({ hasText: 'Saved.' });
  await expect(saved).toBeVisible();
  expect(await stored()).toMatchObject({
    phone: '+1 708 555 0102',
    address: '12 Lake Street\nOak Park, IL 60301',
  });
  await expectGood(page, 'franchise');

  await office.send('PUT', path, { address: '14 Lake Street\nOak Park, IL 60301' });
  await page.getByLabel('Phone').fill('+1 708 555 0103');
  await save.click();
  await expect(page.getByRole('alert')).toHaveText(
    'Somebody changed this meanwhile. Look at it again, then save.',
  );
  await expect(address).toHaveValue('14 Lake Street\nOak Park, IL 60301');
  await address.fill('14 Lake Street\nSuite 2\nOak Park, IL 60301');
  await save.click();
  await expect(saved).toBeVisible();
  expect(await stored()).toMatchObject({
    phone: '+1 708 555 0103',
    address: '14 Lake Street\nSuite 2\nOak Park, IL 60301',
  });
});

test('merchant keys are tested, and those that fail are saved by another button alone', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/settings/merchant-account');
  await expect(page.getByText('Choose it at the top.')).toBeVisible();
  await expectGood(page, 'choose-franchise');
  await page.goto(`/office/settings/merchant-account?franchiseId=${office.franchiseId}`);
  await expect(page.getByText("The portal's")).toBeVisible();
  await page.getByLabel('API key').fill('not-a-key-of-anybody');
  await page.getByLabel('PIN').fill('1234');
  await page.getByLabel('Public key').fill('_nobody');
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeHidden();
  await page.getByRole('button', { name: 'Test keys' }).click();
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeVisible();
  // What the test said is about the keys that it saw.
  await page.getByLabel('PIN').fill('5678');
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeHidden();
  await page.getByRole('button', { name: 'Replace keys' }).click();
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeVisible();
  await expectGood(page, 'merchant-account');
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await confirmAsDemo(page, 'Replace the keys of Clearwater Windows');
  await expect(page.getByText('Its own')).toBeVisible();
  await expect(page.getByLabel('API key')).toHaveValue('');
  await expectGood(page, 'merchant-account-saved');
});
