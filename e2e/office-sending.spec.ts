import type { Locator, Page } from '@playwright/test';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import {
  endSessions,
  enrolStaff,
  inviteStaff,
  openScreen,
  type StaffMember,
} from './support/console/staff.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Keeps the answer to a call until the test has looked at the form that waits for it. */
async function hold(page: Page, call: string): Promise<() => void> {
  const path = `**/api/office${call}`;
  const answer = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await answer.promise;
    await route.fallback();
  });
  // The route stays: Chromium may lose a held call for ever whose route is taken off while it goes on.
  return answer.resolve;
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

async function enterPassword(page: Page, { email, password }: Pick<StaffMember, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

test('whatever leads away from signing in waits until the form has been sent', async ({
  page,
  office,
  openWindow,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(await openWindow(), office);
  await openScreen(page, '/office/sign-in', 'Sign in to the office');
  let answer = await hold(page, '/session');
  await enterPassword(page, clerk);
  for (const name of ['Forgot password', 'Pay an invoice']) {
    const link = page.getByRole('link', { name });
    await expect(link).toHaveAttribute('aria-disabled', 'true');
    await link.click({ force: true });
    await expect(page).toHaveURL('/office/sign-in');
  }
  await expect(button(page, 'Sign in with a passkey')).toBeDisabled();
  answer();
  await expect(heading(page)).toHaveText('Second factor');

  answer = await hold(page, '/session/totp');
  await page.getByLabel('Code').fill(clerk.app.wrongCodes()[0] ?? '');
  await expect(button(page, 'Start again')).toBeDisabled();
  await expect(button(page, 'Use a recovery code')).toBeDisabled();
  answer();
  await expect(page.getByText('This code is not right.')).toBeVisible();

  await button(page, 'Use a recovery code').click();
  answer = await hold(page, '/session/recovery');
  await page.getByLabel('Recovery code').fill(clerk.recoveryCodes[0] ?? '');
  await button(page, 'Confirm').click();
  await expect(button(page, 'Start again')).toBeDisabled();
  await expect(button(page, 'Use your app')).toBeDisabled();
  answer();
  await expect(page.getByRole('navigation', { name: 'Office' })).toBeVisible();
});

test('nobody takes another way while the first code of an app is being sent', async ({ page, office }) => {
  await office.importInvoices({});
  const { link } = await inviteStaff(office);
  await page.goto(link);
  await page.getByLabel('First name').fill('Clara');
  await page.getByLabel('Last name').fill('Benson');
  await page.getByLabel('Password').fill('three panes in a row');
  await button(page, 'Continue').click();
  await button(page, 'Use an authenticator app').click();
  const answer = await hold(page, '/factors/totp/confirm');
  await page.getByLabel('Code').fill('000000');
  await expect(button(page, 'Take another way')).toBeDisabled();
  answer();
  await expect(page.getByText('This code is not right.')).toBeVisible();
  await button(page, 'Take another way').click();
  await expect(button(page, 'Use an authenticator app')).toBeVisible();
});

test('signing in over a screen can be begun again or left, but not while it is being sent', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  const clerk = await enrolStaff(page, office);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  await page.getByLabel('Note', { exact: true }).fill('She moved in May.');
  await endSessions(page, clerk);
  await button(page, 'Add note').click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  let answer = await hold(page, '/session');
  await dialog.getByLabel('Password').fill(clerk.password);
  await button(dialog, 'Sign in').click();
  await expect(button(dialog, 'Leave this screen')).toBeDisabled();
  answer();
  answer = await hold(page, '/session/totp');
  await dialog.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(button(dialog, 'Start again')).toBeDisabled();
  await expect(button(dialog, 'Leave this screen')).toBeDisabled();
  answer();
  await expect(dialog).toBeHidden();
});

test('Escape stays on a page while one of its forms is being sent', async ({ page, office }) => {
  await office.importInvoices({ customerName: 'Rosa Delgado', customerEmail: 'rosa@example.com' });
  await openConsole(page);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  const answer = await hold(page, `/customers/${office.franchiseId}/1/invitations`);
  const invitations = page.getByRole('region', { name: 'Invitations' });
  await button(invitations, 'Invite').click();
  await expect(button(invitations, 'Invite')).toBeDisabled();
  await page.keyboard.press('Escape');
  answer();
  await expect(invitations.getByText(/^Pending/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(heading(page)).toHaveText('Customers');
});

test('leaving asks first while several customers are being invited', async ({ page, office }) => {
  await office.importInvoices(
    { customerNumber: 1, locationId: 1, customerName: 'Ada One', customerEmail: 'ada.one@example.com' },
    { customerNumber: 2, locationId: 2, customerName: 'Bea Two', customerEmail: 'bea.two@example.com' },
  );
  await openConsole(page);
  await openScreen(page, `/office/customers?franchiseId=${office.franchiseId}`, 'Customers');
  for (const name of ['Ada One', 'Bea Two']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  const answer = await hold(page, '/customers/*/*/invitations');
  const bar = page.getByRole('region', { name: 'Invite selected' });
  await button(bar, 'Invite selected').click();
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Refunds' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave this screen?' });
  await expect(dialog).toContainText('you do not see what became of each.');
  await expectGood(page, 'customers-leave');
  await button(dialog, 'Stay').click();
  answer();
  await expect(bar.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Refunds' }).click();
  await expect(heading(page)).toHaveText('Refunds');

  // Whoever leaves and comes back doesn't find them ticked for a second invitation.
  await page.goBack();
  const ticks = page.getByRole('checkbox');
  for (const name of ['Ada One', 'Bea Two']) await ticks.and(page.getByLabel(`Select ${name}`)).check();
  const answerAgain = await hold(page, '/customers/*/*/invitations');
  await button(bar, 'Invite selected').click();
  await expect(bar.getByRole('status')).toHaveText('1 of 2');
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Refunds' }).click();
  await button(dialog, 'Leave').click();
  await expect(heading(page)).toHaveText('Refunds');
  await page.goBack();
  await expect(page.getByRole('rowheader')).toHaveCount(2);
  for (const tick of await ticks.all()) await expect(tick).not.toBeChecked();
  answerAgain();
});
