import type { Page } from '@playwright/test';
import { SPOILED_STORAGES } from './spoiled-storage.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { makeAccount, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'has not loaded completely' });

type Row = {
  what: string;
  path: string;
  scripts: string;
  title: string;
  isSignedIn?: boolean;
  spoil?: () => void;
};

const PAYMENTS = { path: '/payments', scripts: '**/assets/payments-*.js', title: 'Sign in' };
const OFFICE = {
  path: '/office/sign-in',
  scripts: '**/assets/sign-in-*.js',
  title: 'Sign in to the office',
};

const ROWS: Row[] = [
  { what: '/payments', ...PAYMENTS },
  { what: '/office/sign-in', ...OFFICE },
  // The page has come alive before it leads on.
  {
    what: 'a signed-in person at /',
    path: '/',
    scripts: '**/assets/dashboard-*.js',
    title: 'Welcome',
    isSignedIn: true,
  },
  ...SPOILED_STORAGES.flatMap(([storage, spoil]) => [
    { what: `/payments in a browser with ${storage}`, ...PAYMENTS, spoil },
    { what: `/office/sign-in in a browser with ${storage}`, ...OFFICE, spoil },
  ]),
];

/** Lets animations, and what waits in them, pass in no time. */
async function hurryAnimations(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Animation.enable');
  await devTools.send('Animation.setPlaybackRate', { playbackRate: 1000 });
}

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(
    /net::ERR_FAILED|Failed to fetch dynamically imported|Error loading route module|^thrown: $/,
  );
});

test('a page whose script never comes says so, and offers to load it again', async ({ page }) => {
  const scripts = '**/assets/entry.client-*.js';
  await page.route(scripts, (route) => route.abort());
  await page.goto('/guest-payment');
  await expect(page.getByLabel('Work Order #')).toBeVisible();
  await expect(notice(page)).toBeHidden();

  await hurryAnimations(page);
  await expect(notice(page)).toBeVisible();
  await expectGoodScreen(page, 'page-without-script');

  await page.unroute(scripts);
  await notice(page).getByRole('link', { name: 'Load it again' }).click();
  await expect(page.getByRole('button', { name: 'Find invoice' })).toBeEnabled();
  await expect(page.getByText('has not loaded completely')).toHaveCount(0);
});

for (const { what, path, scripts, title, isSignedIn, spoil } of ROWS) {
  test(`${what} loads anew three times where its script never comes, then says so`, async ({
    page,
    request,
    consoleGuard,
  }) => {
    if (isSignedIn) await signIn(page, await makeAccount(request));
    if (spoil) {
      await page.addInitScript(spoil);
      // The router restores scroll positions from there.
      consoleGuard.allow(/Cannot read properties of null \(reading '(getItem|removeItem)'\)/);
    }
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.route(scripts, (route) => route.abort());
    await page.goto(path);
    await expect(page.locator('html[data-stalled]')).toBeAttached();
    await expect(notice(page)).toBeVisible();
    expect(documents).toBe(4);
    await expectGoodScreen(page, `stalled ${what}`.replaceAll(/\W+/g, '-'));
    expect(documents).toBe(4);

    await page.unroute(scripts);
    await notice(page).getByRole('link', { name: 'Load it again' }).click();
    await expect(heading(page)).toHaveText(title);
    await expect(notice(page)).toHaveCount(0);
  });
}
