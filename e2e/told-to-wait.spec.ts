import { makeAccount, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const WRONG = 'Something went wrong. Please try again.';

test('a rate limited form says how long to wait', async ({ page, consoleGuard }) => {
  consoleGuard.allow(/status of (429|503)/);
  const answers: { status: number; retryAfter?: string; message: string }[] = [
    { status: 429, retryAfter: '120', message: `${WRONG} Too many tries. Wait 2 minutes, then try again.` },
    { status: 503, retryAfter: '5', message: `${WRONG} The portal is busy. Wait 5 seconds, then try again.` },
    { status: 503, message: `${WRONG} The portal is busy. Wait a moment, then try again.` },
  ];
  await page.goto('/login');
  await page.getByLabel('Email').fill('rosa@example.com');
  await page.getByLabel('Password').fill('juniper lane');
  for (const { status, retryAfter, message } of answers) {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    await page.route('**/api/authentication/login', (route) =>
      route.fulfill({ status, headers, json: { detail: 'Not now.' } }),
    );
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText(message);
    await page.unroute('**/api/authentication/login');
  }
  await expectFits(page, 'login-told-to-wait');
});

test('a page that cannot be loaded for now says for how long', async ({ page, request, consoleGuard }) => {
  consoleGuard.allow(/status of 503|Unable to load/);
  await signIn(page, await makeAccount(request));
  await page.route('**/api/usaepay/portal/paymentmethods', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Not now.' } }),
  );
  await page.goto('/payment-methods');
  await expect(page.getByText('The portal is busy. Wait 5 seconds, then try again.')).toBeVisible();
  await expectFits(page, 'error-told-to-wait');
  await page.unroute('**/api/usaepay/portal/paymentmethods');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page)).toHaveText('Payment Methods');
});

test('a page that got no answer says to check the connection', async ({ page, request, consoleGuard }) => {
  consoleGuard.allow(/ERR_FAILED|Unable to load/);
  await signIn(page, await makeAccount(request));
  await page.route('**/api/usaepay/portal/paymentmethods', (route) => route.abort());
  await page.goto('/payment-methods');
  await expect(page.getByText('No answer came. Check your connection, then try again.')).toBeVisible();
  await expectFits(page, 'error-no-answer');
});
