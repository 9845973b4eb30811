import type { Page } from '@playwright/test';
import { authenticatorApp } from './support/console/authenticator-app.ts';
import { expectToldWhere, openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { Office } from './support/console/office.ts';
import { enrolStaff, inviteStaff, openScreen } from './support/console/staff.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import { newPerson } from './support/people.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

const PASSWORD = 'three panes in a row';

/** Presses the demo's replacement for a second factor. */
async function confirmAsDemo(page: Page, act: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog.getByText(act)).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm as the demo' }).click();
}

/** A page can refuse the first Escape; at the second the browser closes the dialog without asking. */
async function pressEscapeTwice(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

test('a clerk is added, enrols with an app on a phone, keeps codes, and signs in again with each', async ({
  page,
  office,
  openWindow,
}) => {
  await office.importInvoices({});
  const { email } = newPerson();
  await openConsole(page);
  await page.goto('/office/settings/staff');
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add staff' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption('Clerk');
  await dialog.getByLabel(`${office.franchiseId} Clearwater Windows`).check();
  await expectGood(page, 'staff-add');
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await confirmAsDemo(page, `Add ${email} to the staff`);
  await expect(page.getByRole('row').filter({ hasText: email }).getByText('Invited')).toBeVisible();
  await expect(page.getByText(`A link goes to ${email}.`)).toBeVisible();
  await expectGood(page, 'staff');

  const phone = await openWindow();
  await phone.setViewportSize({ width: 390, height: 780 });
  const link = linkIn(await readMail({ to: email, subject: '' }), '/office/welcome');
  await phone.goto(link);
  await expect(phone).toHaveURL('/office/welcome');
  await phone.getByLabel('First name').fill('Clara');
  await phone.getByLabel('Last name').fill('Benson');
  await phone.getByLabel('Password').fill(PASSWORD);
  await phone.getByRole('button', { name: 'Continue' }).click();
  await expect(phone.getByRole('heading', { name: 'Second factor' })).toBeFocused();
  await expectGood(phone, 'welcome-2');
  const asked = phone.waitForRequest('**/factors/totp');
  await phone.getByRole('button', { name: 'Use an authenticator app' }).click();
  expect(await (await asked).headerValue('idempotency-key')).not.toBeNull();
  const app = authenticatorApp((await phone.locator('code').textContent()) ?? '');
  await expect(phone.getByRole('img', { name: 'The secret as a picture for your app' })).toBeVisible();
  await phone.getByLabel('Code').fill(app.wrongCodes()[0] ?? '');
  await expect(phone.getByText('This code is not right.')).toBeVisible();
  await expectGood(phone, 'welcome-app');
  await phone.getByLabel('Code').fill(app.nextCode());
  await expect(phone.getByRole('heading', { name: 'Recovery codes' })).toBeVisible();
  const codes = await phone
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents();
  expect(codes).toHaveLength(10);
  await expect(phone.getByRole('button', { name: 'Open the console' })).toBeDisabled();
  await phone.getByLabel('I have kept these codes').check();
  await expectGood(phone, 'welcome-3');
  await phone.getByRole('button', { name: 'Open the console' }).click();
  await expect(phone.getByRole('button', { name: 'Clara Benson' })).toBeVisible();
  await expectToldWhere(phone);

  await phone.getByRole('button', { name: 'Clara Benson' }).click();
  await phone.getByRole('button', { name: 'Sign out' }).click();
  const signIn = async () => {
    await phone.getByLabel('Email').fill(email);
    await phone.getByLabel('Password').fill(PASSWORD);
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(heading(phone)).toHaveText('Second factor');
  };
  await signIn();
  await expectGood(phone, 'second-factor');
  await phone.getByLabel('Code').fill(app.nextCode());
  await expect(phone.getByRole('button', { name: 'Clara Benson' })).toBeVisible();
  await expectToldWhere(phone);

  await phone.getByRole('button', { name: 'Clara Benson' }).click();
  await phone.getByRole('button', { name: 'Sign out' }).click();
  await signIn();
  await phone.getByRole('button', { name: 'Use a recovery code' }).click();
  await expectGood(phone, 'recovery-code');
  await phone.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
  await phone.getByRole('button', { name: 'Confirm' }).click();
  await expect(phone.getByRole('button', { name: 'Clara Benson' })).toBeVisible();
  await expectToldWhere(phone);
  await phone.getByRole('button', { name: 'Clara Benson' }).click();
  await phone.getByRole('banner').getByRole('link', { name: 'Your account' }).click();
  await expect(phone.getByText('9 left')).toBeVisible();
  await expectGood(phone, 'account');

  // Screens beyond her role say so, inside the frame.
  await phone.goto('/office/settings/api-keys');
  await expect(heading(phone)).toHaveText('You cannot see this');
  await expect(phone.getByText('Ask an owner or headquarters.')).toBeVisible();
  await expectGood(phone, 'not-allowed');
  await phone.getByRole('link', { name: 'Go to the start screen' }).click();
  await expect(heading(phone)).toHaveText('Payments');
});

test('two people change a member of staff: the second sees the first’s change before it is written over', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const elsewhere = new Office(systemUnderTest(), office.franchiseId + 500_000);
  await elsewhere.importInvoices({});
  const { email } = await inviteStaff(office);
  type Member = { staffId: string; email: string; role: string; franchiseIds: number[] };
  const stored = async () => {
    const { items } = (await office.send('GET', '/office/staff')) as { items: Member[] };
    return items.find((each) => each.email === email);
  };
  await openConsole(page);
  await page.goto('/office/settings/staff');
  await page.getByRole('button', { name: `Change ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: `Change ${email}` });
  const box = ({ franchiseId }: Office) => dialog.getByLabel(`${franchiseId} Clearwater Windows`);
  await dialog.getByLabel('Role').selectOption('Viewer');
  const { staffId = '' } = (await stored()) ?? {};
  await office.send('PUT', `/office/staff/${staffId}`, { franchiseIds: [elsewhere.franchiseId] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Somebody changed this meanwhile. Look at it again, then save.',
  );
  expect(await stored()).toMatchObject({ role: 'clerk', franchiseIds: [elsewhere.franchiseId] });
  await expect(box(office)).not.toBeChecked();
  await expect(box(elsewhere)).toBeChecked();
  await expect(dialog.getByLabel('Role')).toHaveValue('viewer');
  await expectGood(page, 'staff-changed-meanwhile');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await confirmAsDemo(page, `Change what ${email} may do`);
  await expect(dialog).toBeHidden();
  expect(await stored()).toMatchObject({ role: 'viewer', franchiseIds: [elsewhere.franchiseId] });
});

test('headquarters make a key, which is shown once, and revoke it; by keyboard alone', async ({ page }) => {
  await openConsole(page);
  await page.goto('/office/settings/api-keys');
  await expect(heading(page)).toHaveText('API keys');
  await expectGood(page, 'api-keys');
  await page.getByRole('button', { name: 'Create key' }).focus();
  await page.keyboard.press('Enter');
  const name = `Nightly import ${Date.now()}`;
  await expect(page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expectGood(page, 'key-create');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Confirm it is you' })).toBeVisible();
  await expectGood(page, 'step-up');
  await page.getByRole('button', { name: 'Confirm as the demo' }).focus();
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  await expect(shown.locator('code')).toHaveText(/^bpo_\w{8}_[\w-]{43}$/);
  await expectGood(page, 'key-shown');
  await pressEscapeTwice(page);
  await expect(shown.locator('code')).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).focus();
  await page.keyboard.press('Enter');
  await expect(shown).toBeHidden();
  await expect(page.getByRole('rowheader', { name, exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Revoke ${name}` }).focus();
  await page.keyboard.press('Enter');
  await expectGood(page, 'key-revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Confirm as the demo' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('rowheader', { name: `${name} Revoked` })).toBeVisible();
});

test('giving up the confirmation does nothing, and keeps what was typed', async ({ page }) => {
  await openConsole(page);
  await page.goto('/office/settings/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Left again');
  await dialog.getByLabel('View every list and page').check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please confirm with your second factor.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  await expect(dialog.getByLabel('Name')).toHaveValue('Left again');
});

test('replaces a person’s own recovery codes', async ({ page }) => {
  await openConsole(page);
  await page.goto('/office/settings/account');
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await expectGood(page, 'recovery-codes-new');
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
  await confirmAsDemo(page, 'Make new recovery codes');
  const codes = page.getByRole('dialog', { name: 'Your new recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectGood(page, 'recovery-codes');
  await pressEscapeTwice(page);
  await page.mouse.click(5, 5);
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await codes.getByLabel('I have kept these codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 left')).toBeVisible();
});

test('the search key leads to the search from everywhere, until it is switched off', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await enrolStaff(page, office);
  await openScreen(page, '/office/settings/account', 'Your account');
  await heading(page).press('/');
  await expect(heading(page)).toHaveText('Payments');
  await expect(page.getByLabel('Search')).toBeFocused();

  await openScreen(page, '/office/settings/account', 'Your account');
  const key = page.getByRole('switch', { name: 'Search with /' });
  await key.click();
  await expect(key).not.toBeChecked();
  await page.getByRole('link', { name: 'Payments' }).click();
  await expect(heading(page)).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search')).not.toBeFocused();
  await openScreen(page, '/office/settings/account', 'Your account');
  await key.click();
  await expect(key).toBeChecked();
});

test('the sidebar counts what waits, of her own office alone; on a phone the menu does', async ({
  page,
  office,
}) => {
  await office.importInvoices({ paidElsewhere: 120 }, { paidElsewhere: 130 }, {});
  await enrolStaff(page, office, { role: 'viewer' });
  await openScreen(page, '/office/customers', 'Customers');
  const frame = page.getByRole('navigation', { name: 'Office' });
  await expect(frame.getByText('2 overpaid')).toBeVisible();
  const invoices = frame.getByRole('link', { name: 'Invoices', exact: true });
  await expect(invoices).toHaveAccessibleDescription('2 overpaid');
  await expect(frame.getByRole('link', { name: 'Review' })).toHaveCount(0);

  // Changes made elsewhere show on the next screen.
  await office.importInvoices({ paidElsewhere: 140 });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Payments' }).click();
  await expect(heading(page)).toHaveText('Payments');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu.getByRole('link', { name: 'Invoices', exact: true })).toHaveAccessibleDescription(
    '3 overpaid',
  );
});
