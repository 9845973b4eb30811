import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { authenticatorApp } from './support/console/authenticator-app.ts';
import { expectToldWhere } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import type { Office } from './support/console/office.ts';
import { addPasskeyDevice, type PasskeyDevice } from './support/console/passkey.ts';
import { enrolStaff, inviteStaff, leaveIdle, openScreen } from './support/console/staff.ts';
import type { Person } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Signs up from the mail's link, with a passkey on this window's device. */
async function enrol(page: Page, office: Office): Promise<{ person: Person; device: PasskeyDevice }> {
  const { link, ...person } = await inviteStaff(office);
  const device = await addPasskeyDevice(page);
  await page.goto(link);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeVisible();
  await page.getByLabel('I have kept these codes').check();
  await page.getByRole('button', { name: 'Open the console' }).click();
  await expect(page.getByRole('button', { name: 'Clara Benson' })).toBeVisible();
  await expectToldWhere(page);
  return { person, device };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Clara Benson' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toHaveText('Sign in to the office');
}

test('a passkey is made while enrolling, and opens the console alone or beside the password', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const { person, device } = await enrol(page, office);
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Payments');
  await page.goto('/office/settings/account');
  await expect(page.getByText('Passkey', { exact: true }).first()).toBeVisible();
  await expectGood(page, 'account-passkey');

  await signOut(page);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(heading(page)).toHaveText('Second factor');
  await expectGood(page, 'second-factor-passkey');
  await device.knowsPerson(false);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'The passkey was not used. Try again, or take another way.',
  );
  await device.knowsPerson(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(heading(page)).toHaveText('Payments');
});

test('an export is confirmed with a passkey, and an idle session goes on with it', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: '=Rosa' });
  const { person } = await enrol(page, office);
  await page.goto('/office/invoices');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('Export invoices')).toBeVisible();
  await expectGood(page, 'step-up-passkey');
  const download = page.waitForEvent('download');
  await confirm.getByRole('button', { name: 'Use a passkey' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^invoices-\d+.*\.csv$/);
  // Text that a spreadsheet would run as a formula is escaped.
  expect((await readFile(await file.path())).toString()).toContain("'=Rosa");

  await leaveIdle(page, person);
  await page.getByRole('link', { name: 'Customers' }).click();
  const stillThere = page.getByRole('dialog', { name: 'Still there?' });
  await stillThere.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(stillThere).toBeHidden();
  await expect(heading(page)).toHaveText('Customers');
});

const TOO_LONG = /Please shorten your name to 60 characters\.$/;

test('a passkey with too long a name is not made: the name says so, and a shorter one is kept', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  const device = await addPasskeyDevice(page);
  const dialog = await openAdding(page);
  const name = dialog.getByLabel('Name');
  await name.fill('N'.repeat(61));
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(name).toHaveAccessibleDescription(TOO_LONG);
  await expect(name).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  expect(await device.passkeys()).toBe(0);

  await name.fill('N'.repeat(60));
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog', { name: 'Confirm it is you' }).getByLabel('Code').fill(clerk.app.nextCode());
  await expect(dialog).toBeHidden();
  await expect(page.getByText('N'.repeat(60), { exact: true })).toBeVisible();
  expect(await device.passkeys()).toBe(1);
});

test('an app with too long a name is not begun: the name says so, and stays on the way there and back', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await enrol(page, office);
  const dialog = await openAdding(page);
  const name = dialog.getByLabel('Name');
  await name.fill('N'.repeat(61));
  await dialog.getByRole('button', { name: 'Use an authenticator app' }).click();
  await expect(name).toHaveAccessibleDescription(TOO_LONG);
  await expect(name).toBeFocused();

  await name.fill('My phone');
  await dialog.getByRole('button', { name: 'Use an authenticator app' }).click();
  await dialog.getByRole('button', { name: 'Take another way' }).click();
  await expect(name).toHaveValue('My phone');
});

test('a person with nothing but an app changes phones: the new app replaces the old one', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  const dialog = await openAdding(page);
  await dialog.getByLabel('Name').fill('New phone');
  await expect(dialog.getByText('It replaces the one you have.')).toBeVisible();
  await expectGood(page, 'factor-add-second-app');
  await dialog.getByRole('button', { name: 'Use another authenticator app' }).click();
  const newApp = authenticatorApp((await dialog.locator('code').textContent()) ?? '');
  await expectGood(page, 'factor-new-app');
  await dialog.getByLabel('Code').fill(newApp.nextCode());
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('the code here is from the old one')).toBeVisible();
  await confirm.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(dialog).toBeHidden();
  const factors = page.getByRole('region', { name: 'Passkeys and apps' }).getByRole('listitem');
  await expect(factors).toHaveCount(1);
  await expect(factors).toContainText(['New phone']);

  await signOut(page);
  await page.getByLabel('Email').fill(clerk.email);
  await page.getByLabel('Password').fill(clerk.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(newApp.nextCode());
  await expect(heading(page)).toHaveText('Payments');
});

async function openAdding(page: Page): Promise<Locator> {
  await openScreen(page, '/office/settings/account', 'Your account');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  return page.getByRole('dialog', { name: 'Add a passkey or an app' });
}

test('a browser without passkeys says so, and the password stays', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'PublicKeyCredential', { value: undefined });
  });
  await page.goto('/office/sign-in');
  await expect(page.getByText('This browser has no passkeys. Use your password.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expectGood(page, 'sign-in-no-passkeys');
});
