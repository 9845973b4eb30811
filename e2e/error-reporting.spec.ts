import type { Page } from '@playwright/test';
import { cardFrame, importInvoice, openInvoice, searchFor } from './guest-payment-steps.ts';
import { expect, putAway, reportsOf, test, throwOn } from './reporting-steps.ts';
import { startAnotherPortal } from './support/another-portal.ts';
import { makeAccount, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';

// All tests share one portal and one receiver.
test.describe.configure({ mode: 'default' });

test('what a call ended in is reported once, in the words of its operation, with a replay of the page', async ({
  page,
  receiver,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 503/);
  await page.route('**/api/authentication/login', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Too busy at the moment.' } }),
  );
  await page.goto('/login');
  await page.getByLabel('Email').fill('quilliam@masked.example');
  await page.getByLabel('Password').fill('persimmon hollow');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();

  expect(await reportsOf(receiver, 'Unable to sign in: Too busy at the moment.')).toHaveLength(1);
  await expect.poll(() => receiver.recorded.map(({ type }) => type)).toContain(FULL_SNAPSHOT);
  expect(receiver.texts).toHaveLength(1);
});

/** The first event of a replay: the whole page. */
const FULL_SNAPSHOT = 2;

test('a page that cannot be loaded is reported once, with the detail or as an internal error', async ({
  page,
  request,
  receiver,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 50|Unable to load/);
  await signIn(page, await makeAccount(request));
  const accountId = await idOfSignedIn(page);
  for (const { status, detail, text } of [
    { status: 503, detail: 'Busy.', text: 'Unable to load payment methods: Busy.' },
    { status: 500, detail: 'at line 7', text: 'Unable to load payment methods: Internal server error' },
  ]) {
    await page.route('**/api/usaepay/portal/paymentmethods', (route) =>
      route.fulfill({ status, json: { detail } }),
    );
    await page.goto('/payment-methods');
    await expect(heading(page)).toHaveText('Oops, an unexpected error has occurred.');
    await expect(page.getByText('It has been reported.')).toBeVisible();
    expect(await reportsOf(receiver, text)).toHaveLength(1);
    await page.unroute('**/api/usaepay/portal/paymentmethods');
  }
  expect(receiver.texts).toHaveLength(2);
  expect(receiver.pageEvents.map(({ user }) => user?.id)).toEqual([accountId, accountId]);
});

test('a report is found by account id while somebody is signed in, and by none after', async ({
  page,
  request,
  receiver,
  consoleGuard,
}) => {
  consoleGuard.allow(/thrown: Error: planted/);
  await signIn(page, await makeAccount(request));
  const accountId = await idOfSignedIn(page);
  await throwOn(page, 'planted signed in');
  await reportsOf(receiver, 'planted signed in');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pay your invoice' })).toBeVisible();
  await throwOn(page, 'planted signed out');
  await reportsOf(receiver, 'planted signed out');
  expect(receiver.pageEvents.map(({ user }) => user?.id)).toEqual([accountId, undefined]);
});

/** The id in the access token. */
function idOfSignedIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [, claims = ''] = (localStorage.getItem('auth.token') ?? '').split('.');
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).sub;
  });
}

test('an error from before the reporter was there is not lost, and what comes after is reported too', async ({
  page,
  receiver,
  consoleGuard,
}) => {
  consoleGuard.allow(/thrown: Error: planted/);
  const thrown = page.waitForEvent('pageerror');
  await page.route('**/assets/reporter-*.js', async (route) => {
    await thrown;
    await route.continue();
  });
  await page.addInitScript(() => {
    const { addEventListener } = window;
    window.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
      addEventListener(type, listener);
      if (type === 'unhandledrejection') {
        setTimeout(() => {
          throw new Error('planted early');
        });
      }
    };
  });
  await page.goto('/');
  expect(await reportsOf(receiver, 'planted early')).toHaveLength(1);
  await throwOn(page, 'planted late');
  expect(await reportsOf(receiver, 'planted late')).toHaveLength(1);
});

/** Like the provider's own script, which listens whether or not its frame still exists. */
const LISTENS_FOR_EVER = `
addEventListener('message', () => {
  document.getElementById('paymentCardIFrame').contentWindow.postMessage('heard', '*');
});`;

for (const { tells, header } of [
  { tells: 'tells what it threw', header: { 'access-control-allow-origin': '*' } },
  { tells: 'hides what it threw', header: {} },
]) {
  test(`the card script whose frame is gone is not reported where the browser ${tells}`, async ({
    page,
    office,
    receiver,
    consoleGuard,
  }) => {
    consoleGuard.allow(/thrown: Error: planted/);
    // Browsers report errors of a cross-origin script only if page and script both allow it.
    await page.addInitScript(
      (isOpen) => {
        if (!isOpen) return;
        const { append } = Element.prototype;
        Element.prototype.append = function (this: Element, ...nodes) {
          for (const node of nodes) if (node instanceof HTMLScriptElement) node.crossOrigin = 'anonymous';
          append.apply(this, nodes);
        };
      },
      'access-control-allow-origin' in header,
    );
    await page.route('**/js/v2/pay.js', async (route) => {
      const answer = await route.fetch();
      const body = `${await answer.text()}${LISTENS_FOR_EVER}`;
      await route.fulfill({ response: answer, headers: { ...answer.headers(), ...header }, body });
    });
    await openInvoice(page, await importInvoice(office));
    await expect(cardFrame(page).getByLabel('Card number')).toBeVisible();
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page).toHaveURL('/');
    await expect(page.locator('iframe')).toHaveCount(0);

    const thrown = page.waitForEvent('pageerror');
    await page.evaluate(() => window.postMessage('any', '*'));
    expect((await thrown).message).toContain('contentWindow');
    await throwOn(page, 'planted after it');
    await reportsOf(receiver, 'planted after it');
    expect(receiver.texts).toEqual(['planted after it']);
  });
}

test('a refused token is a warning, and so is a missing one', async ({ page, request, receiver }) => {
  const person = await makeAccount(request);
  await signIn(page, person);
  await page.evaluate(() => localStorage.setItem('auth.token', 'not.a.token'));
  await page.reload();
  await expect(page).toHaveURL('/login');
  await reportsOf(receiver, 'warning: 401 from GET /user');
  const { texts } = receiver;
  expect(texts).toEqual([...new Set(texts)]);

  receiver.forget();
  await signIn(page, person);
  // Somebody signs out in another tab while this page waits for its turn to refresh the token.
  await page.evaluate(
    () =>
      new Promise<void>((held) => {
        void navigator.locks.request('auth.refresh', () => {
          held();
          return new Promise<void>((release) => window.addEventListener('signed-out', () => release()));
        });
        localStorage.setItem('auth.tokenExpiration', '2020-01-01T00:00:00.000Z');
      }),
  );
  await page.getByRole('link', { name: 'Payment Methods' }).click();
  await page.waitForFunction(async () => {
    const { pending = [] } = await navigator.locks.query();
    return pending.some(({ name }) => name === 'auth.refresh');
  });
  await page.evaluate(() => {
    localStorage.removeItem('auth.refreshToken');
    window.dispatchEvent(new Event('signed-out'));
  });
  await expect(page).toHaveURL('/login');
  expect(await reportsOf(receiver, 'warning: No refresh token')).toHaveLength(1);
});

test('a call is one trace in browser and server, whose headers go nowhere else', async ({
  page,
  receiver,
}) => {
  await page.goto('/login');
  await expect.poll(() => receiver.spans.map(({ name }) => name)).toContain('Pageload');
  await page.getByLabel('Email').fill('quilliam@masked.example');
  await page.getByLabel('Password').fill('persimmon hollow');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();

  // Reports of earlier tests' requests may arrive this late, without the browser's part of the trace.
  const isOneTrace = () => {
    const { spans } = receiver;
    const ofServer = spans.filter(({ name }) => name === 'POST /api/authentication/login');
    return ofServer.some(({ trace_id, parent_span_id }) =>
      spans.some(
        (span) =>
          span.span_id === parent_span_id && span.trace_id === trace_id && span.name === 'POST localhost',
      ),
    );
  };
  await expect
    .poll(async () => {
      await putAway(page);
      return isOneTrace();
    })
    .toBe(true);

  await page.evaluate((elsewhere) => fetch(elsewhere), `${receiver.origin}/api/elsewhere`);
  expect(receiver.foreignCalls).toHaveLength(1);
  expect(receiver.foreignCalls[0]).not.toHaveProperty('sentry-trace');
  expect(receiver.foreignCalls[0]).not.toHaveProperty('baggage');
});

test('a receiver that fails, breaks off or hangs holds nobody up', async ({
  page,
  office,
  receiver,
  consoleGuard,
}) => {
  consoleGuard.allow(/planted|^error: Failed to load resource.*\/envelope\//);
  const invoice = await importInvoice(office);
  await page.goto('/guest-payment');
  for (const behavior of ['fails', 'cuts', 'hangs'] as const) {
    receiver.behavior = behavior;
    const told = page.waitForRequest(/\/envelope\//);
    await throwOn(page, `planted where it ${behavior}`);
    await told;
  }
  await searchFor(page, {
    franchise: invoice.franchiseId,
    workOrder: invoice.workOrderNumber,
    zip: invoice.zipCode,
  });
  await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeVisible();
});

test('a portal ends when asked, even if nobody takes its reports', async ({ receiver }) => {
  // It starts another portal.
  test.slow();
  receiver.behavior = 'hangs';
  const portal = await startAnotherPortal({ SENTRY_DSN: receiver.dsn });
  expect((await fetch(`${portal.url}/api/user`)).status).toBe(401);
  expect(await portal.stop()).toBe(0);
});
