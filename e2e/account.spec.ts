import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { callAs, holdCall, openDashboard } from './portal-steps.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import { fillSignIn, newPerson, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NEW_PASSWORD = 'maple street in december';

const region = (page: Page, name: string) => page.getByRole('region', { name });

/** Expects a region's outcome, with the focus on it. */
async function expectOutcome(page: Page, name: string, text: string): Promise<void> {
  const outcome = region(page, name).getByRole('status').filter({ hasText: text });
  await expect(outcome).toHaveText(text);
  await expect(outcome).toBeFocused();
}

/** Like `expectOutcome`, for a failure. */
async function expectFailure(page: Page, name: string, text: string | RegExp): Promise<void> {
  const outcome = region(page, name).getByRole('alert').filter({ hasText: text });
  await expect(outcome).toHaveText(text);
  await expect(outcome).toBeFocused();
}

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Account' }).click();
  await expect(page).toHaveURL('/account');
  await expect(heading(page)).toHaveText('Account');
}

test('changes names, password and address, and the address before takes the account back', async ({
  page,
  request,
}) => {
  test.slow();
  const person = await openDashboard(page, request);
  await openAccount(page);
  await expectGoodScreen(page, 'account');

  const details = region(page, 'Your details');
  await details.getByLabel('First name').fill('Ana');
  await details.getByRole('button', { name: 'Save details' }).click();
  await expectOutcome(page, 'Your details', 'Details saved');

  const password = region(page, 'Password');
  await password.getByLabel('Current password').fill('not the password');
  await password.getByLabel('New password').fill(NEW_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(password.getByText('This is not your current password.')).toBeVisible();
  await expect(password.getByLabel('Current password')).toHaveValue('');
  await password.getByLabel('Current password').fill(person.password);
  await password.getByLabel('New password').fill(NEW_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expectOutcome(page, 'Password', 'Password changed. Your other sessions have ended.');

  const address = region(page, 'Email address');
  const askFor = async (newEmail: string) => {
    await address.getByLabel('New email').fill(newEmail);
    await address.getByLabel('Current password').fill(NEW_PASSWORD);
    await address.getByRole('button', { name: 'Send link' }).click();
    const outcome = `Check the inbox of ${newEmail} and confirm it within 24 hours.`;
    await expectOutcome(page, 'Email address', outcome);
    await expect(address.getByText(`Waiting for ${newEmail} to be confirmed.`)).toBeVisible();
  };
  await askFor(newPerson().email);
  await expectGoodScreen(page, 'account-pending');
  await address.getByRole('button', { name: 'Cancel change' }).click();
  await expectOutcome(page, 'Email address', 'Change canceled');
  await expect(address.getByText('to be confirmed.')).toHaveCount(0);

  const { email } = newPerson();
  await askFor(email);
  await page.goto(linkIn(await readMail({ to: email, subject: 'Confirm your new email' }), '/mail/email'));
  await expect(page).toHaveURL('/mail/email');
  await expect(page.getByRole('button', { name: 'Confirm my new email' })).toBeVisible();
  await expectGoodScreen(page, 'mail-email');
  await page.getByRole('button', { name: 'Confirm my new email' }).click();
  await expect(page.getByRole('status')).toHaveText(
    'Your email address is changed. Sign in with it from now on.',
  );

  await page.goto('/account');
  await expect(region(page, 'Email address')).toContainText(`${person.email} can undo this until`);
  await expectGoodScreen(page, 'account-changed');

  const undo = linkIn(
    await readMail({ to: person.email, subject: 'email address was changed' }),
    '/mail/undo',
  );
  await page.goto(undo);
  await expect(page).toHaveURL('/mail/undo');
  await expect(page.getByLabel('New password')).toBeVisible();
  await expectGoodScreen(page, 'mail-undo');
  await page.getByLabel('New password').fill('a third long sentence');
  await page.getByRole('button', { name: 'Undo and sign out everywhere' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, { email: person.email, password: 'a third long sentence' });
  await expect(page).toHaveURL('/invoices');
});

test('an outcome and all that is typed stay if the page cannot be loaded again', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|status of 400|Unable to load/);
  const person = await openDashboard(page, request);
  const { email } = newPerson();
  await callAs(request, person, 'POST', '/user/email', { email, password: person.password });
  await openAccount(page);
  const details = region(page, 'Your details');
  const password = region(page, 'Password');
  const stale = page.getByText('This page could not be loaded again');
  await details.getByLabel('First name').fill('Ana');
  const failing = '**/api/user/account';
  await page.route(failing, (route) => route.abort());

  await password.getByLabel('Current password').fill('not the password');
  await password.getByLabel('New password').fill(NEW_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expectFailure(page, 'Password', 'Please check your details and try again.');
  await expect(stale).toBeVisible();
  await expect(details.getByLabel('First name')).toHaveValue('Ana');
  await expectGoodScreen(page, 'account-not-loaded-again');

  await password.getByLabel('Current password').fill(person.password);
  await password.getByLabel('New password').fill(NEW_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expectOutcome(page, 'Password', 'Password changed. Your other sessions have ended.');
  await expect(details.getByLabel('First name')).toHaveValue('Ana');

  await page.getByRole('button', { name: 'Cancel change' }).click();
  await expectOutcome(page, 'Email address', 'Change canceled, unless it was confirmed before');

  await page.unroute(failing);
  await details.getByRole('button', { name: 'Save details' }).click();
  await expectOutcome(page, 'Your details', 'Details saved');
  await expect(stale).toHaveCount(0);
  await expect(page.getByText(email)).toHaveCount(0);
});

test('offline, a form says that it was not sent and keeps what is typed, even if the access token has run out', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|Unable to refresh/);
  await openDashboard(page, request);
  await openAccount(page);
  const details = region(page, 'Your details');
  await details.getByLabel('First name').fill('Ana');
  await page.evaluate(() => localStorage.setItem('auth.tokenExpiration', '2020-01-01T00:00:00.000Z'));
  await page.context().setOffline(true);
  await details.getByRole('button', { name: 'Save details' }).click();
  await expectFailure(page, 'Your details', 'Something went wrong. Please try again.');
  await expect(details.getByLabel('First name')).toHaveValue('Ana');
  await page.context().setOffline(false);
  await details.getByRole('button', { name: 'Save details' }).click();
  await expectOutcome(page, 'Your details', 'Details saved');
});

test('a change that was confirmed meanwhile is neither called canceled nor asked for again without a word', async ({
  page,
  request,
  consoleGuard,
}) => {
  test.slow();
  consoleGuard.allow(/status of 4\d\d/);
  const person = await openDashboard(page, request);
  const { email } = newPerson();
  const address = region(page, 'Email address');
  await openAccount(page);
  const second = await page.context().newPage();
  await second.goto('/account');
  const third = await page.context().newPage();
  await third.goto('/account');
  await expect(region(third, 'Email address').getByLabel('New email')).toBeVisible();
  await expect(region(second, 'Email address').getByLabel('New email')).toBeVisible();

  await callAs(request, person, 'POST', '/user/email', { email, password: person.password });
  await page.reload();
  await expect(address.getByRole('button', { name: 'Cancel change' })).toBeVisible();
  const confirming = await page.context().newPage();
  await confirming.goto(
    linkIn(await readMail({ to: email, subject: 'Confirm your new email' }), '/mail/email'),
  );
  await confirming.getByRole('button', { name: 'Confirm my new email' }).click();
  await expect(confirming.getByRole('status')).toHaveText(
    'Your email address is changed. Sign in with it from now on.',
  );

  await address.getByRole('button', { name: 'Cancel change' }).click();
  await expectFailure(
    page,
    'Email address',
    `The change was already confirmed. ${person.email} can undo it by the link in its mail.`,
  );
  await expect(address).toContainText(`${person.email} can undo this until`);

  for (const [window, asked, told] of [
    [second, email, 'This is your address already.'],
    [third, newPerson().email, /^You can change your email address again on \w+ \d+, \d{4}\.$/],
  ] as const) {
    const form = region(window, 'Email address');
    await form.getByLabel('New email').fill(asked);
    await form.getByLabel('Current password').fill(person.password);
    await form.getByRole('button', { name: 'Send link' }).click();
    await expectFailure(window, 'Email address', told);
    await expect(form).toContainText(`${person.email} can undo this until`);
  }
});

test('sees where it is signed in, and ends the other session', async ({ page, request, openWindow }) => {
  const person = await openDashboard(page, request);
  const other = await openWindow();
  await signIn(other, person);

  await openAccount(page);
  const sessions = region(page, 'Where you are signed in');
  await expect(sessions.getByText('This device.')).toHaveCount(1);
  await expect(sessions.getByText('We do not record places.')).toBeVisible();
  await sessions.getByRole('button', { name: 'End all other sessions' }).click();
  await expectOutcome(page, 'Where you are signed in', '2 sessions ended');
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL('/login');

  await fillSignIn(other, person);
  await expect(other).toHaveURL('/invoices');
  await page.reload();
  const otherSession = sessions.getByRole('listitem').filter({ hasNotText: 'This device.' });
  await otherSession.getByRole('button', { name: /^End session/ }).click();
  await expectOutcome(page, 'Where you are signed in', 'Session ended');
  await expect(otherSession).toHaveCount(0);
});

test('downloads the data that the portal has, for the password', async ({ page, request }) => {
  const person = await openDashboard(page, request);
  await openAccount(page);
  const data = region(page, 'Your data');
  await data.getByLabel('Current password').fill('not the password');
  await data.getByRole('button', { name: 'Download my data' }).click();
  await expect(data.getByText('This is not your current password.')).toBeVisible();
  // What is typed before the form has forgotten the wrong one would be forgotten with it.
  await expect(data.getByLabel('Current password')).toHaveValue('');
  await data.getByLabel('Current password').fill(person.password);
  const downloading = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download my data' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^brightpane-\d{4}-\d\d-\d\d\.json$/);
  const downloaded = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(downloaded.account).toMatchObject({ email: person.email });
  await expectOutcome(page, 'Your data', 'Your download has started.');
  await expectGoodScreen(page, 'account-downloaded');
  const told = await readMail({ to: person.email, subject: 'Your data was downloaded' });
  // The owner is still signed in, and can change the password at once.
  await page.goto(linkIn(told, '/mail/password'));
  await expect(page).toHaveURL('/account');
  await expect(region(page, 'Password').getByRole('button', { name: 'Change password' })).toBeVisible();
});

test('closes the account, and says first what stays', async ({ page, request, office }) => {
  const [invoice] = await office.importInvoices({});
  const { email } = await openDashboard(page, request, { invoices: [invoice] });
  await openAccount(page);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  await expect(dialog.getByText('This cannot be undone.')).toBeInViewport();
  await expect(dialog).toContainText(/You still owe \$[\d.,]+; closing does not change that\./);
  await expectGoodScreen(page, 'account-closing');
  await test.step('each form that asks for the password tells a password manager whose it is', async () => {
    const asking = page.locator('form:has([autocomplete="current-password"])');
    const whose = await asking.evaluateAll((forms) =>
      forms.map((form) => form.querySelector<HTMLInputElement>('[autocomplete="username"]:enabled')?.value),
    );
    expect(whose).toEqual(Array(4).fill(email));
  });
  await dialog.getByLabel('Current password').fill('juniper lane in november');
  const closing = await holdCall(page, '**/user/close', 'POST');
  const isShut = await dialog
    .getByRole('button', { name: 'Close account' })
    .evaluate((button: HTMLButtonElement) => {
      button.click();
      return button.disabled;
    });
  expect(isShut, 'shut by the press itself').toBe(true);
  await closing.asked;
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  closing.goOn();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your account is closed.')).toBeVisible();
});

test('a link that is only opened spends nothing, and is good whether one is signed in or not', async ({
  page,
  request,
  openWindow,
}) => {
  const person = await openDashboard(page, request);
  const { email } = newPerson();
  await callAs(request, person, 'POST', '/user/email', { email, password: person.password });
  const link = linkIn(await readMail({ to: email, subject: 'Confirm your new email' }), '/mail/email');
  const signedOut = await openWindow();
  const posts: string[] = [];
  const press = (window: Page) => window.getByRole('button', { name: 'Confirm my new email' });
  for (const window of [page, signedOut]) {
    window.on('request', (sent) => {
      if (sent.method() === 'POST') posts.push(new URL(sent.url()).pathname);
    });
    await window.goto(link);
    await expect(window).toHaveURL('/mail/email');
    await expect(press(window)).toBeEnabled();
  }
  expect(posts).toEqual([]);
  await press(signedOut).click();
  await expect(signedOut.getByRole('status')).toHaveText(
    'Your email address is changed. Sign in with it from now on.',
  );
  await press(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link is not valid any more. If your address has not changed, sign in and ask for the change again under Account.',
  );
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(press(page)).toHaveCount(0);
  await expectGoodScreen(page, 'mail-email-used');
  expect(posts).toEqual(Array(2).fill('/api/authentication/email/confirm'));
});

test('a link to undo a change that is not valid any more says whom to ask, and is not pressed again', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 4\d\d/);
  const person = await openDashboard(page, request);
  const { email } = newPerson();
  await callAs(request, person, 'POST', '/user/email', { email, password: person.password });
  const link = linkIn(
    await readMail({ to: person.email, subject: 'email address is about to change' }),
    '/mail/undo',
  );
  const undo = async (token: string, password: string) => {
    await page.goto(link.replace(/(?<=[?&]t=)[^&]+/, (given) => token || given));
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Undo and sign out everywhere' }).click();
  };
  await undo('', 'password1');
  await expect(page.getByText('This password is too easy to guess.')).toBeVisible();
  await expect(page.getByLabel('New password')).toBeVisible();
  await undo('altered', NEW_PASSWORD);
  await expect(page.getByRole('alert')).toHaveText(
    'This link is not valid any more. If you did not make this change, contact your local office.',
  );
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByLabel('New password')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo and sign out everywhere' })).toHaveCount(0);
});

test('an address that leads nowhere says so', async ({ page }) => {
  await page.goto('/mail/other');
  await expect(heading(page)).toHaveText('Page not found');
});
