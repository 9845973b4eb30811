import { expectAccessible } from './support/accessibility.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import {
  callPortal,
  confirmationLink,
  fillSignIn,
  makeAccount,
  newPerson,
  type Person,
  signIn,
} from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const SENT = 'Check your inbox for a password reset email.';
const WRONG = 'Something went wrong. Please try again.';

async function resetLink({ email }: Person): Promise<string> {
  return linkIn(await readMail({ to: email, subject: 'Reset your password' }), '/resetpassword');
}

test('who forgot the password sets a new one, with the keyboard alone', async ({ page, request }) => {
  const person = await makeAccount(request);
  await page.goto('/login');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(` ${person.email} `);
  const forgot = page.getByRole('link', { name: 'Forgot password' });
  const withEmail = `/forgot-password?email=${encodeURIComponent(person.email)}`;
  // As the script writes it.
  await expect(forgot).toHaveAttribute('href', withEmail);
  await forgot.focus();
  await page.keyboard.press('Enter');

  await expect(page).toHaveTitle('Forgot password');
  // The address is in the field, and no longer in the URL.
  await expect(page).toHaveURL('/forgot-password');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expectFits(page, 'forgot-password');
  await expectAccessible(page);
  await page.getByLabel('Email').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(SENT);
  await expect(page.getByRole('status')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  await page.goto(await resetLink(person));
  await expect(page).toHaveURL('/resetpassword');
  await expect(page).toHaveTitle('Reset password');
  await expect(page.getByLabel('New Password')).toHaveAttribute('autocomplete', 'new-password');
  await expectFits(page, 'reset-password');
  await expectAccessible(page);
  await page.reload();
  // The skeleton's content gives way to the page's, and takes the focus along.
  await expect(page.getByLabel('New Password')).toBeVisible();
  // The token stays with this history entry.
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await page.getByLabel('New Password').focus();
  await page.keyboard.type('a better one than before');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('Your password has been reset. Please sign in.');

  await fillSignIn(page, person);
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await fillSignIn(page, { ...person, password: 'a better one than before' });
  await expect(page).toHaveURL('/invoices');
});

test('the message of a success is shown once', async ({ page, request }) => {
  const person = await makeAccount(request);
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  await page.goto(await resetLink(person));
  await page.getByLabel('New Password').fill('a better one than before');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByRole('status')).toHaveText('Your password has been reset. Please sign in.');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveCount(0);
});

test('an address without an account is answered like one that has one', async ({ page }) => {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(newPerson().email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('status')).toHaveText(SENT);
});

test('a reset mail that cannot be asked for says so', async ({ page, context, consoleGuard }) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('rosa at example');
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
  await expect(page.getByLabel('Email')).toHaveValue('rosa at example');

  await page.getByLabel('Email').fill(newPerson().email);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('status')).toHaveText(SENT);
});

test('a refused password shows its error under the field, and the link still works', async ({
  page,
  request,
}) => {
  const person = await makeAccount(request);
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  const link = await resetLink(person);
  await page.goto(link);
  const password = page.getByLabel('New Password');
  await password.fill('seven77');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await expect(password).toHaveAccessibleDescription(/Please use at least 8 characters\.$/);
  await expect(password).toHaveValue('seven77');
  await expectFits(page, 'reset-password-refused');
  await expectAccessible(page);

  await password.fill('a better one than before');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page).toHaveURL('/login');

  // Used up: the same link doesn't work twice.
  await page.goto(link);
  await password.fill('a third one, just in case');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
});

test('who signs in after all leaves no reset link to the next person after Log out', async ({
  page,
  request,
}) => {
  const person = await makeAccount(request);
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  await page.goto(await resetLink(person));
  await expect(page.getByLabel('New Password')).toBeVisible();
  const entries = await page.evaluate(() => history.length);
  await page.reload();
  await expect(page.getByLabel('New Password')).toBeVisible();
  await page.goto('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  // After the evaluation, which ends with the page.
  await page.evaluate((to) => void setTimeout(() => history.go(to - history.length)), entries);
  await expect(page).toHaveURL('/resetpassword');
  await expect(page.getByRole('alert')).toHaveText('Invalid reset password link');
  await expect(page.getByLabel('New Password')).toHaveCount(0);
});

test('who is signed in is told how to use a reset link, and nothing of a confirmation that is done', async ({
  page,
  request,
}) => {
  const person = await makeAccount(request);
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  await signIn(page, person);
  const notice = page.getByText(`To use the link that was sent to ${person.email}, log out`);
  await page.goto(await resetLink(person));
  await expect(page).toHaveURL('/invoices');
  await expect(notice).toBeVisible();
  await page.goto(await confirmationLink(person));
  await expect(page).toHaveURL('/invoices');
  await expect(heading(page)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('who goes back to a reset link after signing in leaves no word of it to the next person', async ({
  page,
  request,
}) => {
  const [person, next] = [await makeAccount(request), await makeAccount(request)];
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  await page.goto(await resetLink(person));
  await page.getByRole('link', { name: 'Back to Sign in' }).click();
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
  await page.goBack();
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click();
  await fillSignIn(page, next);
  await expect(page).toHaveURL('/invoices');
  await expect(heading(page)).toBeVisible();
  await expect(page.getByText('To use the link that was sent to')).toHaveCount(0);
});

for (const query of ['', '?e=rosa%40example.com', '?t=abc']) {
  test(`/resetpassword${query} is an invalid reset password link`, async ({ page }) => {
    await page.goto(`/resetpassword${query}`);
    await expect(page.getByRole('alert')).toHaveText('Invalid reset password link');
    await expect(heading(page)).toHaveText('Reset password');
    await expect(page.getByLabel('New Password')).toHaveCount(0);
    await expect(page).toHaveURL('/resetpassword');
  });
}
