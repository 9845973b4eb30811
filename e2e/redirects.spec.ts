import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../apps/web/app/routes.ts';
import web from '../apps/web/react-router.config.ts';
import { makeAccount, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Where each route leads when signed out and when signed in; `null` means that it stays. */
const TABLE: { route: string; address?: string; signedOut: string | null; signedIn: string | null }[] = [
  { route: '/', signedOut: null, signedIn: '/invoices' },
  { route: '/guest-payment', signedOut: null, signedIn: '/invoices' },
  {
    route: '/guest-payment',
    address: '/guest-payment?franchiseNumber=1&workOrderNumber=1&zipCode=1',
    signedOut: null,
    signedIn: '/invoices',
  },
  { route: '/terms', signedOut: null, signedIn: null },
  { route: '/guest-payment/success', signedOut: null, signedIn: '/invoices' },
  // Signed-in people are sent to /, and on from there.
  { route: '/login', signedOut: null, signedIn: '/invoices' },
  { route: '/register', signedOut: null, signedIn: '/invoices' },
  { route: '/register/success', signedOut: null, signedIn: '/invoices' },
  { route: '/forgot-password', signedOut: null, signedIn: '/invoices' },
  { route: '/resetpassword', signedOut: null, signedIn: '/invoices' },
  { route: '/confirm', signedOut: null, signedIn: '/invoices' },
  { route: '/invitation', signedOut: null, signedIn: '/invoices' },
  { route: '/invoices', signedOut: '/login', signedIn: null },
  { route: '/payments', signedOut: '/login', signedIn: null },
  // Somebody else's payment shows a page that says so.
  {
    route: '/payments/:paymentId',
    address: '/payments/00000000-0000-4000-8000-000000000001',
    signedOut: '/login',
    signedIn: null,
  },
  { route: '/account', signedOut: '/login', signedIn: null },
  { route: '/mail/:what', address: '/mail/email', signedOut: null, signedIn: null },
  // Security mails lead there: a new password is chosen under Account, or by a link that is sent.
  {
    route: '/mail/:what',
    address: '/mail/password',
    signedOut: '/forgot-password',
    signedIn: '/account',
  },
  { route: '/locations/add', signedOut: '/login', signedIn: null },
  { route: '/locations/:locationId', address: '/locations/1', signedOut: '/login', signedIn: null },
  { route: '/payment-methods', signedOut: '/login', signedIn: null },
  // Without a location, a card can't pay anything.
  { route: '/payment-methods/add', signedOut: '/login', signedIn: '/payment-methods' },
  {
    route: '/payment-methods/:paymentMethodId',
    address: '/payment-methods/1',
    signedOut: '/login',
    signedIn: null,
  },
];

test('the table of redirects has a row for every route', () => {
  const rows = new Set(TABLE.map(({ route }) => route));
  expect([...rows].sort()).toEqual(pathsOf(routes).sort());
});

test('every route leads a signed-out person where the table says', async ({ page }) => {
  for (const { route, address = route, signedOut } of TABLE) {
    await test.step(address, async () => {
      await page.goto(address);
      // A prerendered page is all there before its script has run, which is what would lead away.
      if (web.prerender.includes(route)) await page.waitForLoadState('networkidle');
      // Whatever leads away has done so before a page has its heading.
      await expect.soft(heading(page)).toBeVisible();
      await expect.soft(page).toHaveURL(signedOut ?? address);
      await expect.soft(page.getByRole('button', { name: 'Log out' })).toHaveCount(0);
    });
  }
});

test('every route leads a signed-in person where the table says', async ({ page, request, consoleGuard }) => {
  // Location and card don't exist, so the error page says so.
  consoleGuard.allow(/not found|unknown|no such/i);
  await signIn(page, await makeAccount(request));
  for (const { route, address = route, signedIn } of TABLE) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect.soft(heading(page)).toBeVisible();
      await expect.soft(page).toHaveURL(signedIn ?? address);
      await expect.soft(page.getByRole('link', { name: 'Log In' })).toHaveCount(0);
    });
  }
});

test('links inside the portal are guarded like addresses', async ({ page, request }) => {
  await signIn(page, await makeAccount(request));
  await page.evaluate(() => localStorage.clear());
  await page.getByRole('link', { name: 'Payment Methods' }).click();
  await expect(page).toHaveURL('/login');
});

test('whoever has signed in in another tab is led to the invoices by whatever they press on a page for guests', async ({
  page,
  request,
}) => {
  const person = await makeAccount(request);
  const other = await page.context().newPage();
  await test.step('Back', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Quick Pay' }).click();
    await expect(page).toHaveURL('/guest-payment');
    await signIn(other, person);
    await page.goBack();
    await expect(page).toHaveURL('/invoices');
    await expect(heading(page)).toHaveText('Welcome');
  });
  await page.evaluate(() => localStorage.clear());
  await test.step('a link to the page itself', async () => {
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await signIn(other, person);
    await page.getByRole('link', { name: 'Brightpane' }).click();
    await expect(page).toHaveURL('/invoices');
  });
});

/** Every path below these entries, except the one for unknown URLs. */
function pathsOf(entries: RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path === undefined ? above : `${above}/${path}`;
    if (children) return pathsOf(children, here);
    return path === '*' || (path === undefined && !index) ? [] : [here || '/'];
  });
}
