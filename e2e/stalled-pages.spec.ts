import type { Page } from '@playwright/test';
import { expectGoodScreen } from './support/good-screen.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'has not loaded completely' });

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

for (const { path, scripts, title } of [
  { path: '/payments', scripts: '**/assets/payments-*.js', title: 'Sign in' },
  { path: '/office/sign-in', scripts: '**/assets/sign-in-*.js', title: 'Sign in to the office' },
]) {
  test(`${path} loads anew three times where its script never comes, then says so`, async ({ page }) => {
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.route(scripts, (route) => route.abort());
    await page.goto(path);
    await expect(page.locator('html[data-stalled]')).toBeAttached();
    await expect(notice(page)).toBeVisible();
    expect(documents).toBe(4);
    await expectGoodScreen(page, `stalled${path.replaceAll('/', '-')}`);
    expect(documents).toBe(4);

    await page.unroute(scripts);
    await notice(page).getByRole('link', { name: 'Load it again' }).click();
    await expect(heading(page)).toHaveText(title);
    await expect(notice(page)).toHaveCount(0);
  });
}
