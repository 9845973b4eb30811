import type { Page, Route } from '@playwright/test';
import {
  expectPaid,
  expectRefused,
  expectTypedStays,
  fillAll,
  fillCard,
  importInvoice,
  openInvoice,
  pressPay,
  searchFor,
} from './guest-payment-steps.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { expectGoodScreen } from './support/good-screen.ts';
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
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

// Payments are listed by the browser's year, which must be the office's and must not end meanwhile.
const ZONE = zoneByDay();
test.use({ timezoneId: ZONE });

const PLACE = '12 Juniper Lane';
const DECLINED_CARD = '4000300611112224';

async function pay(
  page: Page,
  office: Office,
  { email }: Pick<Person, 'email'>,
  row: Partial<InvoiceRow> = {},
): Promise<InvoiceRow> {
  const invoice = await importInvoice(office, { timeZone: ZONE, ...row });
  await openInvoice(page, invoice);
  await fillAll(page, { email });
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  return invoice;
}

const createAccount = (page: Page) => page.getByRole('region', { name: 'Create your account' });
const addLocation = (page: Page) => page.getByRole('region', { name: 'Add this location to your account' });
const addButton = (page: Page, { email }: Person) =>
  addLocation(page).getByRole('button', { name: `Add ${PLACE} to ${email}` });

test('a guest makes an account on the page after the payment, and types nothing but a password', async ({
  page,
  office,
}) => {
  test.slow();
  const person = newPerson();
  await pay(page, office, person);
  const form = createAccount(page);
  await expect(form.getByRole('heading', { level: 2 })).toHaveText('Create your account');
  await expect(form.getByLabel('First name')).toHaveValue('Zoë');
  await expect(form.getByLabel('Last name')).toHaveValue("O'Brien");
  await expect(form.getByLabel('Email')).toHaveValue(person.email);
  await expectGoodScreen(page, 'offer');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('definition').filter({ hasText: '$108.25' })).toBeVisible();
  await expect(form).toBeHidden();
  await page.emulateMedia({ media: null });

  const { password } = person;
  await form.getByLabel('New password').fill('password1');
  await form.getByRole('button', { name: 'Create account' }).click();
  await expect(form.getByText('This password is too easy to guess.')).toBeVisible();
  await expect(form.getByRole('alert')).toBeFocused();
  await expectGoodScreen(page, 'offer-refused');
  await form.getByLabel('New password').fill(password);
  // By keyboard: the button comes after the password and its show button.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Create account' })).toBeFocused();
  await page.keyboard.press('Enter');
  const told = form.getByRole('status');
  await expect(told).toHaveText(
    `Check your inbox. The link confirms ${person.email}; ${PLACE} is in your account when you sign in.`,
  );
  await expect(told).toBeFocused();
  await expectGoodScreen(page, 'offer-taken');
  // The offer is the account's now: whoever loads the page again reads what was paid, and finds no filled-in form.
  // Nor does it invite them to sign up: that would drop the location that waits for the account.
  await page.reload();
  await expect(page.getByRole('definition').filter({ hasText: '$108.25' })).toBeVisible();
  await expect(
    page.getByText('Your account is made. Check your inbox and confirm your address, then sign in.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveCount(0);
  await expect(form).toHaveCount(0);
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]));
  for (const personal of ['Zoë', "O'Brien", PLACE]) expect(kept).not.toContain(personal);
  await expectGoodScreen(page, 'offer-taken-before');

  await page.goto(linkIn(await readMail({ to: person.email, subject: 'confirm your email' }), '/confirm'));
  await page.getByRole('button', { name: /^Confirm/ }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
  await page.goto('/payments');
  await expect(page.getByRole('link', { name: /^Receipt for \$108\.25, / })).toBeVisible();
  const linked = await readMail({ to: person.email, subject: 'A location was added to your account' });
  expect(linked.text).toContain(PLACE);
});

test('somebody with an account signs in from there, and adds the location by a press', async ({
  page,
  office,
  request,
}) => {
  test.slow();
  const person = await makeAccount(request);
  await pay(page, office, person);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/guest-payment/success');
  await expect(addLocation(page)).toContainText(`${PLACE}, Austin`);
  await expect(page.getByRole('definition').filter({ hasText: '$108.25' })).toBeVisible();
  await expectGoodScreen(page, 'offer-signed-in');
  await page.reload();
  await addButton(page, person).click();
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('status').filter({ hasText: `${PLACE} is in your account.` })).toBeVisible();
  // The offer is used up, so the page redirects to the invoices.
  await page.goto('/guest-payment/success');
  await expect(page).toHaveURL('/invoices');
});

test('an added location leads to the invoices, and meanwhile nothing says that its offer is over', async ({
  page,
  office,
  request,
}) => {
  const person = await makeAccount(request);
  await pay(page, office, person);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/guest-payment/success');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/user/invoice', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await addButton(page, person).click();
  // The screen has been rendered again since the press.
  await expect(page.getByText('Loading…')).toBeAttached();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(addButton(page, person)).toBeDisabled();
  answer.resolve();
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('status').filter({ hasText: `${PLACE} is in your account.` })).toBeVisible();
});

test('a signed-in payer whose offer ends before they press reads so, beside what they have paid', async ({
  page,
  office,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 400/);
  const person = await makeAccount(request);
  const invoice = await pay(page, office, person);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(addButton(page, person)).toBeVisible();
  await office.importInvoices({ ...invoice, zipCode: '99501' });
  await addButton(page, person).click();
  await expect(addLocation(page).getByRole('alert')).toHaveText(
    'This offer is not valid any more. You can add the location with the numbers on your invoice.',
  );
  await expect(addLocation(page).getByRole('alert')).toBeFocused();
  const paid = page.getByRole('definition').filter({ hasText: '$108.25' });
  await expect(paid).toBeVisible();
  await expect(page).toHaveURL('/guest-payment/success');
  await page.reload();
  await expect(paid).toBeVisible();
  await expect(addLocation(page)).toHaveCount(0);
});

test('a guest reads that they have paid though somebody signs in in another tab meanwhile, and asks again for an offer that was not answered', async ({
  page,
  office,
  request,
  consoleGuard,
}) => {
  test.slow();
  consoleGuard.allow(/status of 503|Unable to/);
  const person = await makeAccount(request);
  await openInvoice(page, await importInvoice(office, { timeZone: ZONE }));
  await fillAll(page);
  const answer = Promise.withResolvers<void>();
  await page.route('**/usaepay/guestsale', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.route('**/api/authentication/offer', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Not now.' } }),
  );
  await pressPay(page, '$108.25');
  const other = await page.context().newPage();
  await signIn(other, person);
  answer.resolve();
  await expectPaid(page, '$108.25');
  await expect(addLocation(page).getByRole('alert')).toContainText(
    'Your payment is made, but this could not be loaded. The portal is busy. Wait 5 seconds, then try again.',
  );
  await expectGoodScreen(page, 'offer-not-answered');
  await page.unroute('**/api/authentication/offer');
  await addLocation(page).getByRole('button', { name: 'Try again' }).click();
  await expect(addButton(page, person)).toBeVisible();
  await expect(addLocation(page).getByText(PLACE).first()).toBeFocused();
});

test('a guest whose own session had ended before reads that they have paid though somebody else signs in in another tab meanwhile', async ({
  page,
  office,
  request,
  consoleGuard,
}) => {
  test.slow();
  consoleGuard.allow(/40[13]/);
  const [ended, other] = [await makeAccount(request), await makeAccount(request)];
  const invoice = await importInvoice(office, { timeZone: ZONE });
  await signIn(page, ended);
  const refuse = (route: Route) =>
    route.fulfill({ status: 401, json: { detail: 'This session has ended.' } });
  await page.route('**/api/usaepay/portal/paymentmethods', refuse, { times: 1 });
  await page.getByRole('link', { name: 'Payment Methods' }).click();
  await expect(page).toHaveURL('/login');
  // By links, as a page load forgets whose screens were shown.
  await page.getByRole('banner').getByRole('link', { name: 'Brightpane' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Quick Pay' }).click();
  await searchFor(page, {
    franchise: invoice.franchiseId,
    workOrder: invoice.workOrderNumber,
    zip: invoice.zipCode,
  });
  await fillAll(page);
  const answer = Promise.withResolvers<void>();
  await page.route('**/usaepay/guestsale', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await pressPay(page, '$108.25');
  await signIn(await page.context().newPage(), other);
  answer.resolve();
  await expectPaid(page, '$108.25');
  await expect(addButton(page, other)).toBeVisible();
});

test('a guest reads that their card was declined though somebody signs in in another tab meanwhile, and pays with another', async ({
  page,
  office,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 400/);
  const person = await makeAccount(request);
  await openInvoice(page, await importInvoice(office, { timeZone: ZONE }));
  await fillAll(page, { card: DECLINED_CARD });
  const answer = Promise.withResolvers<void>();
  await page.route('**/usaepay/guestsale', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await pressPay(page, '$108.25');
  const other = await page.context().newPage();
  await signIn(other, person);
  answer.resolve();
  await expectRefused(page, /Your card was not charged/);
  await expectTypedStays(page);
  await fillCard(page);
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
});

test('a guest who asks again for an offer that is over meanwhile reads so, and may sign up', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of (400|503)|Unable to/);
  const invoice = await importInvoice(office, { timeZone: ZONE });
  await openInvoice(page, invoice);
  await fillAll(page);
  await page.route('**/api/authentication/offer', (route) => route.fulfill({ status: 503, json: {} }));
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  const again = createAccount(page).getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  // The zip code that was shown is the location's no more.
  await office.importInvoices({ ...invoice, zipCode: '99501' });
  await page.unroute('**/api/authentication/offer');
  await again.click();
  const told = createAccount(page).getByRole('alert');
  await expect(told).toHaveText(
    'This offer is not valid any more. You can add the location with the numbers on your invoice.',
  );
  await expect(told).toBeFocused();
  await expectGoodScreen(page, 'offer-over-guest');
  await createAccount(page).getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL('/register');
});

test('an account that is asked for once the offer is over is not made, and the guest may sign up', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 400/);
  const person = newPerson();
  const invoice = await pay(page, office, person);
  await createAccount(page).getByLabel('New password').fill(person.password);
  await office.importInvoices({ ...invoice, zipCode: '99501' });
  await createAccount(page).getByRole('button', { name: 'Create account' }).click();
  await expect(createAccount(page).getByRole('alert')).toBeFocused();
  await expect(createAccount(page).getByRole('button')).toHaveCount(0);
  await createAccount(page).getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL('/register');
});

test('who has just made an account is not asked to sign up once more, but to confirm it and sign in', async ({
  page,
  office,
}) => {
  test.slow();
  const person = newPerson();
  await page.goto('/register');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/register/success');

  await page.goto('/');
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page.getByRole('status')).toContainText('You have just made an account.');
  await expectGoodScreen(page, 'register-again');

  const invoice = await importInvoice(office, { timeZone: ZONE });
  await openInvoice(page, invoice);
  const promotion = page.getByRole('region', { name: 'Your account is made' });
  await expect(promotion.getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveCount(0);
  await expectGoodScreen(page, 'invoice-account-made');

  await fillAll(page, person);
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  await expect(addLocation(page)).toContainText('Your account is made.');
  await expect(page.getByRole('button')).toHaveCount(0);
  await expectGoodScreen(page, 'offer-account-made');
  await addLocation(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  const link = new URL(await confirmationLink(person));
  await callPortal(page.request, '/user/confirm', {
    email: link.searchParams.get('e'),
    token: link.searchParams.get('t'),
  });
  await fillSignIn(page, person);
  await addButton(page, person).click();
  await expect(page).toHaveURL('/invoices');
});

test('an offer that somebody else has used says so, and where to add the location', async ({
  page,
  office,
  request,
}) => {
  const [first, second] = [await makeAccount(request), await makeAccount(request)];
  const invoice = await pay(page, office, first);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  // The previous form has a field of the same name.
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, first);
  const kept = await page.evaluate(() => sessionStorage.getItem('paid'));
  await addButton(page, first).click();
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => sessionStorage.getItem('paid'))).toBeNull();

  await page.goto('/login');
  await page.evaluate((state) => {
    sessionStorage.setItem('paid', state ?? '');
    sessionStorage.setItem('return-path', '{"text":"/guest-payment/success","owner":null}');
  }, kept);
  await fillSignIn(page, second);
  await expect(page).toHaveURL('/guest-payment/success');
  await expect(addLocation(page).getByRole('alert')).toHaveText(
    'This offer is not valid any more. You can add the location with the numbers on your invoice.',
  );
  await expectGoodScreen(page, 'offer-over');
  await expect(page.getByRole('link', { name: 'See your invoices' })).toBeVisible();
  await addLocation(page).getByRole('link', { name: 'Add a location' }).click();
  await expect(page).toHaveURL('/locations/add');
  expect(invoice.franchiseId).toBe(office.franchiseId);
});

test('Log out leaves nothing behind of what was paid before signing in, however far the next person goes back', async ({
  page,
  office,
  request,
}) => {
  test.slow();
  const person = await makeAccount(request);
  await pay(page, office, person);
  const paidAt: number = await page.evaluate(() => history.state.idx);
  await page.reload();
  await expect(createAccount(page).getByLabel('Email')).toHaveValue(person.email);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  await page.goBack();
  await expect(createAccount(page).getByLabel('Email')).toHaveValue(person.email);
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await fillSignIn(page, person);
  await expect(addButton(page, person)).toBeVisible();
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await expect(page).toHaveURL('/invoices');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');

  await page.evaluate((to) => history.go(to - history.state.idx), paidAt);
  await expect(page).toHaveURL('/guest-payment/success');
  expect(await page.evaluate(() => history.state)).toMatchObject({
    idx: paidAt,
    usr: { paid: expect.any(String) },
  });
  await expect(page.getByRole('link', { name: 'Sign Up' })).toBeVisible();
  await expect(page.getByRole('definition')).toHaveCount(0);
  await expect(createAccount(page)).toHaveCount(0);
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]));
  for (const personal of [person.email, PLACE, 'amountCents']) expect(kept).not.toContain(personal);
});

test('an address without a place to break can be read and pressed', async ({ page, office, request }) => {
  test.slow();
  const person = await makeAccount(request);
  const long = 'Lindenblütenwegkreuzung'.repeat(5);
  await pay(page, office, person, { addressLine1: long, city: 'A<b>ustin</b>' });
  await expect(createAccount(page).getByText(long)).toBeVisible();
  await expectGoodScreen(page, 'offer-long');
  await createAccount(page).getByRole('link', { name: 'Sign in to add it' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, person);
  await expect(addLocation(page)).toContainText('A<b>ustin</b>');
  await expectGoodScreen(page, 'offer-long-signed-in');
  await addLocation(page)
    .getByRole('button', { name: `Add ${long} to ${person.email}` })
    .click();
  await expect(page.getByRole('status').filter({ hasText: `${long} is in your account.` })).toBeVisible();
});

test('a token is in no URL, form or referrer', async ({ page, office }) => {
  const person = newPerson();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await pay(page, office, person);
  await expect(createAccount(page)).toBeVisible();
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('paid') ?? '{}').offer.token);
  expect(token).toMatch(/^[\da-f-]{36}\.\d+\./);
  expect(await page.content()).not.toContain(token);
  await createAccount(page).getByLabel('New password').fill(person.password);
  await createAccount(page).getByRole('button', { name: 'Create account' }).click();
  await expect(createAccount(page).getByRole('status')).toBeVisible();
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  expect(await page.content()).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]))).not.toContain(
    token,
  );
});
