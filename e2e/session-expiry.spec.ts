import type { Page, Request } from '@playwright/test';
import { acceptTerms, GOOD_CARD } from './guest-payment-steps.ts';
import { numbersOf, submitNumbers } from './location-steps.ts';
import { choose, importInvoices, openDashboard, payButton } from './portal-steps.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import { callPortal, fillSignIn, makeAccount, newPerson, type Person, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { test as base, expect } from './support/test.ts';

const test = base.extend<{ person: Person }>({
  /** The person signed in on `page`, at the invoices. */
  person: async ({ page, request }, use) => {
    const person = await makeAccount(request);
    await signIn(page, person);
    await expectInside(page);
    await use(person);
  },
});

const KEYS = ['auth.token', 'auth.refreshToken', 'auth.tokenExpiration'];

const readKeys = (page: Page): Promise<(string | null)[]> =>
  page.evaluate((keys) => keys.map((key) => localStorage.getItem(key)), KEYS);

const refreshTokenOf = async (page: Page): Promise<string> => (await readKeys(page))[1] ?? 'none';

/** Expires the access token in all tabs, which share it. */
const expire = (page: Page): Promise<void> =>
  page.evaluate(() => localStorage.setItem('auth.tokenExpiration', '2020-01-01T00:00:00.000Z'));

/** Counts the refresh calls of every tab in this browser. */
function countRefreshes(page: Page): () => number {
  let count = 0;
  page.context().on('request', (request) => {
    if (request.url().endsWith('/authentication/refresh')) count += 1;
  });
  return () => count;
}

const expectInside = (page: Page) => expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();

test('an access token that has run out is renewed without a word', async ({ page, person: _ }) => {
  const refreshToken = await refreshTokenOf(page);
  const refreshes = countRefreshes(page);
  await expire(page);
  await page.reload();
  await expectInside(page);
  await expect(page).toHaveURL('/invoices');
  expect(refreshes()).toBe(1);
  const [, successor, expiration] = await readKeys(page);
  expect(successor).not.toBe(refreshToken);
  expect(expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(expiration).not.toMatch(/^2020/);
});

for (const missing of ['auth.token', 'auth.tokenExpiration']) {
  test(`without ${missing} a new one is fetched`, async ({ page, person: _ }) => {
    await page.evaluate((key) => localStorage.removeItem(key), missing);
    await page.reload();
    await expectInside(page);
    expect(await readKeys(page)).not.toContain(null);
  });
}

test('a session that a password reset has ended leads to signing in, and from there back', async ({
  page,
  request,
  person,
}) => {
  await page.getByRole('link', { name: 'Payment Methods' }).click();
  await expect(page).toHaveURL('/payment-methods');
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(person.email)}`, undefined);
  const link = new URL(
    linkIn(await readMail({ to: person.email, subject: 'Reset your password' }), '/resetpassword'),
  );
  const password = 'a better one than before';
  await callPortal(request, '/user/confirmresetpassword', {
    email: link.searchParams.get('e'),
    passwordToken: link.searchParams.get('t'),
    password,
  });

  await expire(page);
  await page.reload();
  await expect(page).toHaveURL('/login');
  expect(await readKeys(page)).toEqual([null, null, null]);
  const reason = page.getByText('Your session has ended. Sign in to return to where you were.');
  await expect(reason).toBeFocused();
  await fillSignIn(page, { ...person, password });
  await expect(page).toHaveURL('/payment-methods');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log In' }).first().click();
  await expect(heading(page)).toHaveText('Sign in');
  await expect(reason).toHaveCount(0);
});

test('after Log out nobody reads of a session that had ended in this tab before', async ({
  page,
  person,
  context,
}) => {
  const other = await context.newPage();
  await page.evaluate(() => localStorage.setItem('auth.token', 'not.a.token'));
  await page.reload();
  const reason = page.getByText('Your session has ended. Sign in to return to where you were.');
  await expect(reason).toBeVisible();
  await signIn(other, person);
  await page.reload();
  await expectInside(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log In' }).first().click();
  await expect(heading(page)).toHaveText('Sign in');
  await expect(reason).toHaveCount(0);
});

test('a person who ends the session of this device hears that it has ended', async ({ page, person: _ }) => {
  await page.goto('/account');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'This device.' })
    .getByRole('button', { name: /^End session/ })
    .click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('Session ended');
  expect(await readKeys(page)).toEqual([null, null, null]);
});

test('a token that the server refuses ends the session', async ({ page, person: _ }) => {
  await page.evaluate(() => localStorage.setItem('auth.token', 'not.a.token'));
  await page.reload();
  await expect(page).toHaveURL('/login');
  expect(await readKeys(page)).toEqual([null, null, null]);
});

test('no answer to a refresh keeps the session, and trying again comes back', async ({
  page,
  person: _,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to (refresh|load)/);
  await expire(page);
  const kept = await readKeys(page);
  await page.route('**/authentication/refresh', (route) => route.abort());
  await page.reload();
  await expect(heading(page)).toHaveText('Oops, an unexpected error has occurred.');
  expect(await readKeys(page)).toEqual(kept);
  await page.unroute('**/authentication/refresh');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectInside(page);
});

test.describe('where a refresh has no answer, what was typed stays on the screen, and can be sent later:', () => {
  /** Nothing comes through from now on, until the returned function is called. */
  async function cutOff(page: Page): Promise<() => Promise<void>> {
    // A page that still opens would ask for the refresh itself.
    await expectInside(page);
    await expire(page);
    await page.route('**/authentication/refresh', (route) => route.abort());
    return () => page.unroute('**/authentication/refresh');
  }

  test.beforeEach(({ consoleGuard }) => consoleGuard.allow(/ERR_FAILED|Unable to refresh/));

  test('a location', async ({ page, person: _, office }) => {
    const [invoice] = await office.importInvoices({});
    await page.goto('/locations/add');
    const connect = await cutOff(page);
    await submitNumbers(page, numbersOf(invoice));
    await expect(page.getByRole('alert')).toHaveText('Unable to associate location');
    await expect(page.getByRole('alert')).toBeFocused();
    await expect(page.getByLabel('Zip Code')).toHaveValue(invoice.zipCode);
    await connect();
    await page.getByRole('button', { name: 'Add Location' }).click();
    await expect(page).toHaveURL('/invoices');
  });

  test('a payment', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, {});
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await choose(page, ...invoices);
    await acceptTerms(page);
    const connect = await cutOff(page);
    await payButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Something went wrong. Please try again. Press Pay again to check; you will not be charged twice.',
    );
    await connect();
    await payButton(page).click();
    await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
  });
});

test('a page that is left open asks for nothing by itself, so that it keeps no session alive', async ({
  page,
  person: _,
}) => {
  await page.clock.install();
  for (const path of ['/invoices', '/payments', '/account']) {
    await page.goto(path);
    await expectInside(page);
    await expect(heading(page)).toBeVisible();
    const asked: string[] = [];
    const keep = (request: Request) => asked.push(request.url());
    page.on('request', keep);
    await page.clock.fastForward(167 * 3_600_000);
    // One turn of the page, in which what a timer asked for has left.
    await page.evaluate(() => fetch('/favicon.svg'));
    page.off('request', keep);
    expect(asked.map((url) => new URL(url).pathname)).toEqual(['/favicon.svg']);
  }
});

test('Log out leaves nothing behind, here and on the server', async ({ page, person: _, request }) => {
  const refreshToken = await refreshTokenOf(page);
  await page.evaluate(() =>
    sessionStorage.setItem('user', '{"userId":"x","items":{"draft":"half a payment"}}'),
  );
  const told = page.waitForResponse('**/authentication/logout');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(heading(page)).toHaveText('Pay your invoice');
  expect(await readKeys(page)).toEqual([null, null, null]);
  expect(await page.evaluate(() => sessionStorage.getItem('user'))).toBeNull();
  await told;
  await expect(callPortal(request, '/authentication/refresh', { refreshToken })).rejects.toThrow(
    'answered 401',
  );

  await page.goBack();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Log out' })).toHaveCount(0);
});

test('Log out does not wait for a server that never answers', async ({ page, person: _ }) => {
  await page.route('**/authentication/logout', () => undefined);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  expect(await readKeys(page)).toEqual([null, null, null]);
});

test('Log out in one tab leads the others out', async ({ page, person: _, context }) => {
  const other = await context.newPage();
  await other.goto('/payment-methods');
  await expectInside(other);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(other).toHaveURL('/login');
});

test('Log out in one tab leads out another that is just opening', async ({ page, person: _, context }) => {
  const other = await context.newPage();
  const answered = Promise.withResolvers<void>();
  const loggedOut = Promise.withResolvers<void>();
  await other.route('**/api/**', async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await loggedOut.promise;
    await route.fulfill({ response });
  });
  const opened = other.goto('/payment-methods');
  await answered.promise;
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  loggedOut.resolve();
  await opened;
  await expect(other).toHaveURL('/login');
});

test('after Log out in one tab, another tab leads only the same person back to their page', async ({
  page,
  person,
  context,
  request,
}) => {
  const other = await context.newPage();
  await other.goto('/payment-methods');
  await expectInside(other);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(other).toHaveURL('/login');
  await fillSignIn(other, await makeAccount(request));
  await expect(other).toHaveURL('/invoices');

  await page.goto('/payment-methods');
  await expectInside(page);
  await other.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
});

test('a session that ends leads back the same person, and nobody else', async ({ page, person, request }) => {
  const endSession = () => page.evaluate(() => localStorage.setItem('auth.token', 'not.a.token'));
  await page.goto('/payment-methods');
  await endSession();
  await page.reload();
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/payment-methods');
  await endSession();
  await page.reload();
  await fillSignIn(page, await makeAccount(request));
  await expect(page).toHaveURL('/invoices');
});

test('a kept page of one person does not act as the next one who signed in', async ({
  page,
  person: _,
  context,
  openWindow,
  request,
}) => {
  await page.goto('/account');
  await expect(heading(page)).toHaveText('Account');
  const next = await makeAccount(request);
  const elsewhere = await openWindow();
  await signIn(elsewhere, next);
  const session = await readKeys(elsewhere);
  const other = await context.newPage();
  await other.goto('/terms');
  await other.evaluate(
    ([keys, values]) => {
      for (const [at, key] of keys.entries()) localStorage.setItem(key, values[at] ?? '');
    },
    [KEYS, session] as const,
  );
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.locator('.account-email')).toHaveText(next.email);
});

test('a kept page that heard nothing of the next person changes and shows nothing of theirs', async ({
  page,
  person: _,
  openWindow,
  request,
}) => {
  const next = await makeAccount(request, newPerson({ firstName: 'Ada', lastName: 'Next' }));
  const elsewhere = await openWindow();
  await signIn(elsewhere, next);
  const session = await readKeys(elsewhere);
  /** A tab hears only of what other tabs store. */
  const takeOver = () =>
    page.evaluate(
      ([keys, values]) => {
        for (const [at, key] of keys.entries()) localStorage.setItem(key, values[at] ?? '');
      },
      [KEYS, session] as const,
    );
  const own = await readKeys(page);
  const asked: string[] = [];
  page.on('request', (sent) => {
    if (sent.headers().authorization === `Bearer ${session[0]}`) {
      asked.push(`${sent.method()} ${new URL(sent.url()).pathname}`);
    }
  });
  await page.goto('/account');
  await page.getByLabel('First name').fill('Mallory');
  await takeOver();
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.locator('.account-email')).toHaveText(next.email);
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  expect(asked.filter((call) => !call.startsWith('GET '))).toEqual([]);
  expect(own).not.toEqual(session);
});

test('a page that the browser kept shows nothing of a session that has ended', async ({
  page,
  person: _,
}) => {
  await page.evaluate(() => {
    localStorage.clear();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL('/login');
});

for (const { tabs, locks } of [
  { tabs: 2, locks: true },
  { tabs: 5, locks: true },
  { tabs: 20, locks: true },
  { tabs: 5, locks: false },
]) {
  const browser = locks ? 'browser' : 'browser without locks';
  test(`${tabs} tabs of a ${browser} whose token runs out at once stay signed in, with one successor`, async ({
    page,
    person: _,
    context,
  }) => {
    if (tabs > 5) test.slow();
    if (!locks) {
      await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    }
    const pages = [page];
    while (pages.length < tabs) pages.push(await context.newPage());
    await Promise.all(pages.map((each) => each.goto('/payment-methods')));
    for (const each of pages) await expectInside(each);

    const refreshToken = await refreshTokenOf(page);
    // A tab may see another's stored token a moment late and refresh once more; the answer is the same.
    const answers: Promise<{ refreshToken: string }>[] = [];
    context.on('response', (response) => {
      if (response.url().endsWith('/authentication/refresh')) answers.push(response.json());
    });
    await expire(page);
    await Promise.all(pages.map((each) => each.goto('/invoices')));
    for (const each of pages) {
      await expectInside(each);
      await expect(each).toHaveURL('/invoices');
    }
    const successors = (await Promise.all(answers)).map(({ refreshToken: successor }) => successor);
    expect(new Set(successors)).toEqual(new Set([await refreshTokenOf(page)]));
    expect(successors).not.toContain(refreshToken);
  });
}
