import type { Locator, Page } from '@playwright/test';
import { letEchoesPass } from './press-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { linkIn, mailsTo } from './support/mailbox.ts';
import { confirmationLink, fillSignIn, makeAccount, newPerson, register, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const CHECK_INBOX = 'Please check your email inbox for a verification email.';
const NOT_CONFIRMED =
  'Unable to confirm your email address. Please try again or contact customer support for help.';
const WRONG = 'Something went wrong. Please try again.';
const TOO_MANY_TRIES =
  /^Something went wrong\. Please try again\. Too many tries\. Wait \d+ \w+, then try again\.$/;

/**
 * After a link that the script follows, the heading takes the focus, and keys pressed earlier would be lost. A link pressed
 * before the script has run loads the page, where nothing takes the focus.
 */
async function waitForArrival(page: Page, path: string): Promise<void> {
  await page.waitForFunction((loaded) => {
    const [load] = performance.getEntriesByType('navigation');
    return load?.name.endsWith(loaded) || document.activeElement?.tagName === 'H1';
  }, path);
}

test('a stranger registers, confirms the address and signs in, with the keyboard alone', async ({ page }) => {
  const person = newPerson({
    firstName: 'Zoë',
    lastName: "O'Brien-Łukasz",
    password: 'пароль из кириллицы 🪟',
  });
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign Up' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Sign up');
  await waitForArrival(page, '/register');
  await expect(page.getByRole('button', { name: 'Sign up' })).toBeEnabled();
  await page.getByLabel('Email').focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.firstName);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.lastName);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(person.password);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/register/success');
  await expect(page.getByRole('status')).toHaveText(CHECK_INBOX);
  await expect(page.getByText(person.email)).toBeVisible();
  await expectFits(page, 'register-success');
  await expectAccessible(page);

  await page.goto(await confirmationLink(person));
  await expect(page).toHaveTitle('Confirm Email');
  await expect(page.getByText(person.email)).toBeVisible();
  await expectFits(page, 'confirm');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm my email' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('Your account has now been confirmed! Please sign in.');
  await expect(page.getByRole('status')).toBeFocused();

  await page.getByLabel('Email').focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/invoices');
});

test('the sign-up form names the field of each fault and keeps what was typed', async ({ page, request }) => {
  const taken = await makeAccount(request);
  const person = newPerson();
  await page.goto('/register');
  const fill = async (email: string, password: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('First name').fill(person.firstName);
    await page.getByLabel('Last name').fill(person.lastName);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign up' }).click();
  };

  const faults = [
    ['short', 'Password', person.email, 'seven77', /Please use at least 8 characters\.$/],
    ['long', 'Password', person.email, 'x'.repeat(129), /Please use at most 128 characters\.$/],
    ['common', 'Password', person.email, 'password123', /too easy to guess/],
    ['no address', 'Email', 'rosa at example', person.password, 'Please enter a valid email address.'],
    ['taken', 'Email', taken.email.toUpperCase(), person.password, /is an account with this email/],
  ] as const;
  for (const [name, field, email, password, sentence] of faults) {
    await test.step(name, async () => {
      await fill(email, password);
      await expect(page.getByRole('alert')).toHaveText('Please check your details and try again.');
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(page.getByLabel(field)).toHaveAccessibleDescription(sentence);
      await expect(page.getByLabel(field)).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Email')).toHaveValue(email);
      await expect(page.getByLabel('First name')).toHaveValue(person.firstName);
      await expect(page.getByLabel('Last name')).toHaveValue(person.lastName);
      await expect(page.getByLabel('Password')).toHaveValue(password);
    });
  }
  await expectFits(page, 'register-faults');
  await expectAccessible(page);

  await fill(person.email, person.password);
  await expect(page).toHaveURL('/register/success');
});

test('without a connection, signing up says that something went wrong and keeps what was typed', async ({
  page,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const person = newPerson();
  await page.goto('/register');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await expect(page.getByRole('button', { name: 'Sign up' })).toBeEnabled();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/register/success');
});

test('empty fields are asked for before anything is sent', async ({ page }) => {
  await page.goto('/register');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveJSProperty('validity.valueMissing', true);
  for (const label of ['Email', 'First name', 'Last name', 'Password']) {
    await expect(page.getByLabel(label)).toHaveAttribute('required');
  }
  expect(sent).toEqual([]);
});

test('address and token leave the address bar before anything else, and a reload still has them', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const person = await register(request);
  const link = await confirmationLink(person);
  const said: string[] = [];
  page.on('request', async (each) => {
    if (each.isNavigationRequest()) return;
    // The next page may have cut the request off.
    const headers = await each.allHeaders().catch(() => each.headers());
    said.push(each.url(), JSON.stringify(headers));
  });
  // The first attempt gets no answer.
  await page.route('**/api/user/confirm', (route) => route.abort(), { times: 1 });
  await page.goto(link);
  await expect(page).toHaveURL('/confirm');
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await confirm.click();
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
  const token = new URL(link).searchParams.get('t') ?? link;
  expect(said.length).toBeGreaterThan(2);
  expect(said.filter((text) => text.includes(token) || /%40|rosa\./.test(text))).toEqual([]);

  await page.reload();
  await confirm.click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('Your account has now been confirmed! Please sign in.');
});

test('a page that is only loaded, as mail scanners load it, confirms nothing', async ({ page, request }) => {
  const person = await register(request);
  const link = await confirmationLink(person);
  const posts: string[] = [];
  page.on('request', (each) => {
    if (each.method() === 'POST') posts.push(new URL(each.url()).pathname);
  });
  for (const method of ['get', 'head'] as const) expect((await request[method](link)).ok()).toBe(true);
  for (let times = 0; times < 2; times++) {
    await page.goto(link);
    await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Resend Verification Email' })).toBeEnabled();
    // Scripts have run and make no more calls.
    await page.waitForLoadState('networkidle');
  }
  expect(posts).toEqual([]);
  await page.goto('/login');
  await fillSignIn(page, person);
  await expect(page.getByRole('alert')).toContainText('Please confirm your email address.');

  await page.goto(link);
  posts.length = 0;
  await page.getByRole('button', { name: 'Confirm my email' }).click();
  await expect(page).toHaveURL('/login');
  expect(posts).toEqual(['/api/user/confirm']);
});

test('a used confirmation link says so', async ({ page, request }) => {
  const person = await register(request);
  const link = await confirmationLink(person);
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await page.goto(link);
  await confirm.click();
  await expect(page).toHaveURL('/login');
  await page.goto(link);
  await confirm.click();
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
});

test('an owner takes over an address that somebody else registered', async ({ page, request }) => {
  const stranger = await register(request, newPerson({ password: 'chosen by somebody else' }));
  const owner = { ...stranger, password: 'chosen by the owner herself' };
  const before = await confirmationLink(stranger);
  await page.goto('/register');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('First name').fill(owner.firstName);
  await page.getByLabel('Last name').fill(owner.lastName);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/register/success');
  await expect.poll(async () => (await mailsTo(owner.email)).length).toBe(2);

  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await page.goto(before);
  await confirm.click();
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
  const links = (await mailsTo(owner.email)).map((mail) => linkIn(mail, '/confirm'));
  await page.goto(links.find((link) => link !== before) ?? before);
  await confirm.click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, stranger);
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await fillSignIn(page, owner);
  await expect(page).toHaveURL('/invoices');
});

test('a confirmation link that was cut short says so, and offers another mail', async ({
  page,
  request,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const person = await register(request);
  await page.goto((await confirmationLink(person)).slice(0, -1));
  await page.getByRole('button', { name: 'Confirm my email' }).click();
  await expect(page).toHaveTitle('Confirm Email');
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
  await expectFits(page, 'confirm-failed');
  await expectAccessible(page);

  const resend = page.getByRole('button', { name: 'Resend Verification Email' });
  await context.setOffline(true);
  await resend.click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await expect(confirm).toBeVisible();
  await context.setOffline(false);
  await resend.click();
  await expect(page.getByRole('status')).toHaveText(CHECK_INBOX);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(async () => (await mailsTo(person.email)).length).toBe(2);

  // The link of the first mail is over, whatever becomes of a third one.
  await expect(confirm).toHaveCount(0);
  await expectFits(page, 'confirm-resent');
  await expectAccessible(page);
  await context.setOffline(true);
  // A success is not asked for again within half a second.
  await letEchoesPass(page);
  await resend.click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await expect(confirm).toHaveCount(0);
});

for (const { query, offersResend } of [
  { query: '', offersResend: false },
  { query: '?t=abc', offersResend: false },
  { query: '?e=rosa%40example.com', offersResend: true },
]) {
  test(`/confirm${query} is an invalid confirmation link`, async ({ page }) => {
    await page.goto(`/confirm${query}`);
    await expect(heading(page)).toHaveText('Confirm Email');
    await expect(page.getByRole('alert')).toHaveText('Invalid confirmation link');
    await expect(page.getByRole('button', { name: 'Resend Verification Email' })).toHaveCount(
      offersResend ? 1 : 0,
    );
    await expect(page).toHaveURL('/confirm');
    await expectAccessible(page);
  });
}

test('an unconfirmed account is told to confirm, and can request the mail again', async ({
  page,
  request,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const person = await register(request);
  await page.goto('/login');
  await fillSignIn(page, person);
  await expect(page.getByRole('alert')).toHaveText(
    'Please confirm your email address. Check your email inbox for a verification email.',
  );
  await expectFits(page, 'login-not-confirmed');
  await expectAccessible(page);

  const resend = page.getByRole('button', { name: 'Resend Verification Email' });
  await context.setOffline(true);
  await resend.click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await context.setOffline(false);

  // To the address that was tried, whatever is typed by now; the typed text stays.
  await page.getByLabel('Email').fill('somebody.else@example.com');
  await resend.click();
  await expect(page.getByRole('status')).toHaveText(CHECK_INBOX);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue('somebody.else@example.com');
  await expect.poll(async () => (await mailsTo(person.email)).length).toBe(2);
});

test('while a form is being sent, the form and the links beside it wait', async ({ page, request }) => {
  const person = await register(request);
  const resend = page.getByRole('button', { name: 'Resend Verification Email' });
  /** Presses a button, and holds its call back until the rest turns out to wait. */
  const pressOne = async (
    call: string,
    pressed: Locator,
    waiting: { form: Locator; links: string[]; screen: string },
  ) => {
    const goOn = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await goOn.promise;
      await route.continue();
    });
    const address = page.url();
    await expect(waiting.form).toBeEnabled();
    await pressed.click();
    await expect(pressed).toHaveAttribute('aria-busy', 'true');
    await expect(waiting.form).toBeDisabled();
    await expect(waiting.form).toHaveAttribute('aria-busy', 'false');
    for (const name of waiting.links) {
      const link = page.getByRole('link', { name });
      await expect(link).toHaveAttribute('aria-disabled', 'true');
      await link.click({ force: true });
      await expect(page).toHaveURL(address);
    }
    await expectFits(page, waiting.screen);
    await expectAccessible(page);
    goOn.resolve();
    await expect(waiting.form).toBeEnabled();
    await page.unroute(call);
  };

  await page.goto('/login');
  await fillSignIn(page, person);
  const signInButton = page.getByRole('button', { name: 'Sign in' });
  const links = ['Forgot password', 'Register'];
  await pressOne('**/api/user/resendemailconfirmation', resend, {
    form: signInButton,
    links,
    screen: 'login-resending',
  });
  await expect(page.getByRole('status')).toHaveText(CHECK_INBOX);
  await pressOne('**/api/authentication/login', signInButton, {
    form: resend,
    links,
    screen: 'login-sending',
  });

  const { email } = person;
  await page.goto(`/confirm?${new URLSearchParams({ e: email, t: 'none' })}`);
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await confirm.click();
  // Or the first call would be held back, too.
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
  await pressOne('**/api/user/confirm', confirm, {
    form: resend,
    links: ['Back to Sign in'],
    screen: 'confirm-sending',
  });
  await expect(page.getByRole('alert')).toHaveText(NOT_CONFIRMED);
});

test('wrong password, unknown address and too many tries have their words', async ({ page, request }) => {
  const person = await makeAccount(request);
  await page.goto('/login');
  await fillSignIn(page, { ...person, password: 'not this one' });
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await expect(page.getByRole('button', { name: 'Resend Verification Email' })).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByLabel('Password')).toHaveValue('not this one');
  await expectFits(page, 'login-failed');
  await expectAccessible(page);

  await fillSignIn(page, newPerson());
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await expect(page.getByRole('alert')).toBeFocused();

  await expect(async () => {
    const answered = page.waitForResponse('**/api/authentication/login');
    await fillSignIn(page, { ...person, password: 'not this one' });
    expect((await answered).status()).toBe(429);
  }).toPass();
  await expect(page.getByRole('alert')).toHaveText(TOO_MANY_TRIES);
});

test('an account that the office switched off is told so', async ({ page, request, office }) => {
  const person = await makeAccount(request);
  await office.send('PUT', `/office/users/${encodeURIComponent(person.email)}`, { active: false });
  await page.goto('/login');
  await fillSignIn(page, person);
  await expect(page.getByRole('alert')).toHaveText(
    'Sorry, your account has been deactivated. Please contact customer support for assistance.',
  );
});

test('the password can be shown, pasted, and filled by a manager', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/login');
  const password = page.getByLabel('Password');
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  await page.evaluate(() => navigator.clipboard.writeText('pasted from a manager'));
  await password.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(password).toHaveValue('pasted from a manager');
  await expect(password).toHaveAttribute('type', 'password');
  // The button does nothing until the script has run.
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toHaveValue('pasted from a manager');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

/** Holds the page's scripts back, as a slow line does. */
async function holdScripts(page: Page): Promise<{ letRun: () => void }> {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return { letRun: held.resolve };
}

test('keeps what was typed before hydration, and sends it nowhere', async ({ page, request }) => {
  const person = await makeAccount(request);
  const scripts = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
  scripts.letRun();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByLabel('Password')).toBeFocused();
  await expect(page.getByRole('link', { name: 'Forgot password' })).toHaveAttribute(
    'href',
    `/forgot-password?email=${encodeURIComponent(person.email)}`,
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/invoices');
});

test('what an ended session leaves to say takes the focus from nobody who types already', async ({
  page,
  request,
}) => {
  const person = await makeAccount(request);
  const scripts = await holdScripts(page);
  await page.addInitScript(() => sessionStorage.setItem('session-ended', 'yes'));
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').pressSequentially(person.email);
  scripts.letRun();
  await expect(page.getByRole('status')).toHaveText(/^Your session has ended\./);
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  await page.reload();
  await expect(page.getByRole('status')).toHaveText(/^Your session has ended\./);
  await expect(page.getByRole('status')).toBeFocused();
});

test('signing in leads back to the page that asked for it, once', async ({ page, request }) => {
  const person = await makeAccount(request);
  await page.goto('/payment-methods');
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/payment-methods');

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await signIn(page, person);
});

test('a form action that the confirmation does not know confirms nothing', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/Unknown form action: other/);
  const person = await register(request);
  await page.goto(await confirmationLink(person));
  await page.locator('input[value=confirm]').evaluate((input: HTMLInputElement) => {
    input.value = 'other';
  });
  await page.getByRole('button', { name: 'Confirm my email' }).click();
  await expect(heading(page)).toHaveText('Oops, an unexpected error has occurred.');
});
