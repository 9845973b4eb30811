import { expectAccessible } from './support/accessibility.ts';
import { demoLink, openConsole } from './support/console/console.ts';
import { type ConsoleState, expectGood } from './support/console/console-states.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const OUTSIDE: { path: string; name: ConsoleState; title: string }[] = [
  { path: '/office/sign-in', name: 'sign-in', title: 'Sign in to the office' },
  { path: '/office/welcome', name: 'welcome-incomplete', title: 'Welcome to the office' },
  { path: '/office/welcome?e=a@example.com&t=abc', name: 'welcome-1', title: 'Welcome to the office' },
  { path: '/office/reset', name: 'reset', title: 'Reset your password' },
  { path: '/office/reset?e=a@example.com&t=abc', name: 'reset-2', title: 'Reset your password' },
  { path: '/office/demo', name: 'demo-incomplete', title: 'The office of the demo' },
  { path: '/office/no-such-screen', name: 'not-found', title: 'Page not found' },
];

for (const { path, name, title } of OUTSIDE) {
  test(`${path} opens quietly, can be read by everyone, and fits every screen`, async ({
    page,
    consoleGuard,
  }) => {
    if (name === 'not-found') consoleGuard.allow(/status of 404/);
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
    await expect(page).toHaveTitle(`${title} · Brightpane office`);
    await expect(page.getByText('Demo: no real money')).toBeVisible();
    await expectGood(page, name);
  });
}

test('a demo link opens the console, once', async ({ page, openWindow }) => {
  const link = await demoLink();
  await page.goto(link);
  await expect(page.getByRole('navigation', { name: 'Office' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Henry Park' })).toBeVisible();
  expect(page.url()).not.toContain('t=');

  const other = await openWindow();
  await other.goto(link);
  await expect(other.getByRole('alert')).toHaveText(
    'This link was used already. Get a new one with: npm run portal -- staff demo-link',
  );
});

test('signing in returns to the screen that required it', async ({ page }) => {
  await page.goto('/office/settings/account?franchiseId=11');
  await expect(heading(page)).toHaveText('Sign in to the office');
  const next = new URL(page.url()).searchParams.get('next');
  expect(next).toBe('/office/settings/account?franchiseId=11');
});

test('a wrong password says so and keeps the email; by keyboard alone', async ({ page }) => {
  await page.goto('/office/sign-in');
  await expect(heading(page)).toHaveText('Sign in to the office');
  await page.getByLabel('Email').focus();
  await page.keyboard.type('nobody@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com');
  await expectAccessible(page);
});

test('a customer finds the way to her invoice', async ({ page }) => {
  await page.goto('/office/sign-in');
  await page.getByRole('link', { name: 'Pay an invoice' }).click();
  await expect(page).toHaveURL('/');
});

test('signing out leaves nothing behind, on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await openConsole(page);
  await page.getByRole('button', { name: 'Henry Park' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toHaveText('Sign in to the office');
  await page.goBack();
  // The screen that was left leads on to the sign-in.
  await expect(page).toHaveURL('/office/sign-in?next=%2Foffice%2Fpayments');
  await expect(heading(page)).toHaveText('Sign in to the office');
});

test('the frame: a way through every screen, which office it is about, and the search', async ({ page }) => {
  await openConsole(page);
  await page.goto('/office/settings/staff');
  await expect(heading(page)).toHaveText('Staff');
  await expectGood(page, 'frame');

  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Settings' })).toBeVisible();
  await expectGood(page, 'menu');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
});

test('the console is no page for frames, search engines or the card provider', async ({ request }) => {
  const { headers } = await request.get('/office/').then((answer) => ({ headers: answer.headers() }));
  expect(headers['x-robots-tag']).toBe('noindex');
  expect(headers['content-security-policy']).toContain("frame-src 'none'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});
