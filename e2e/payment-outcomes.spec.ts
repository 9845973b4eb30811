import type { Page } from '@playwright/test';
import {
  acceptTerms,
  expectCaptured,
  expectPaid,
  expectRefused,
  expectTypedStays,
  fillAll,
  GOOD_CARD,
  importInvoice,
  openInvoice,
  pressPay,
} from './guest-payment-steps.ts';
import {
  callAs,
  choose,
  holdCall,
  importInvoices,
  makeCustomer,
  openDashboard,
  payButton,
  payByCall,
  workOrder,
} from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import type { InvoiceRow } from './support/console/office.ts';
import { resumeSlowCalls, scriptFault } from './support/emulator.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import { callPortal, fillSignIn, makeAccount, newPerson, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const DECLINE = { result_code: 'D', result: 'Declined', error: 'Insufficient funds', error_code: 10251 };
const NOT_FOUND = 'Invoice not found. Please check your information and try again.';

async function declineNext({ workOrderNumber }: InvoiceRow): Promise<void> {
  const invoice = `${workOrderNumber}`;
  await scriptFault({ fault: 'wrong', when: 'before', command: 'cc:authonly', invoice, answer: DECLINE });
}

/** Removes the location of its own in another tab. */
async function removeLocation(other: Page, name: RegExp): Promise<void> {
  await other.goto('/invoices');
  await other.getByRole('link', { name }).click();
  await other.getByRole('button', { name: 'Remove location' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Remove location' }).click();
  await expect(other).toHaveURL('/invoices');
}

test.describe('a refused payment of the last invoice in view says why', () => {
  test('if somebody has paid it', async ({ page, request, office }) => {
    const [one] = (await importInvoices(office, {})) as [InvoiceRow];
    await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
    await choose(page, one);
    await workOrder(page, one).getByRole('button', { name: '20%' }).click();
    await acceptTerms(page);
    await payByCall(request, one);
    await payButton(page, '$128.25').click();
    await expectRefused(page, `Work order ${one.workOrderNumber} is already paid.`);
    await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All Unpaid Invoices' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
    // What was added to it is over with it.
    await office.importInvoices({ ...one, amount: 158.25 });
    await page.reload();
    await choose(page, one);
    await expect(payButton(page)).toHaveText('Pay $50.00');
  });

  test('if its location is gone, on the page of all invoices', async ({ page, request, office, context }) => {
    const [one] = (await importInvoices(office, { description: 'Home' })) as [InvoiceRow];
    await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
    await choose(page, one);
    await acceptTerms(page);
    await removeLocation(await context.newPage(), /^Home/);
    await payButton(page, '$108.25').click();
    await expectRefused(page, NOT_FOUND);
    await expect(heading(page)).toHaveText('Welcome');
  });

  test('if its location is gone, on the location’s page', async ({
    page,
    request,
    office,
    context,
    consoleGuard,
  }) => {
    consoleGuard.allow(/status of 404/);
    const [one] = (await importInvoices(office, { description: 'Home' })) as [InvoiceRow];
    await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
    await page.getByRole('link', { name: /^Home/ }).click();
    await expect(heading(page)).toHaveText('Home');
    await choose(page, one);
    await acceptTerms(page);
    await removeLocation(await context.newPage(), /^Home/);
    await payButton(page, '$108.25').click();
    await expectRefused(page, NOT_FOUND);
    await page.getByRole('link', { name: 'All Unpaid Invoices' }).click();
    await expect(heading(page)).toHaveText('Welcome');
  });
});

test('a decline stays on the screen if the invoices cannot be loaded again', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to load/);
  const [one] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  await declineNext(one);
  await page.route('**/api/user/invoice', (route) => route.abort());
  await payButton(page, '$108.25').click();
  await expectRefused(page, /Your card was not charged\.$/);
  await expect(page.getByLabel(`Select work order ${one.workOrderNumber}`)).toBeChecked();
  await page.unroute('**/api/user/invoice');
  await payButton(page, '$108.25').click();
  await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeFocused();
});

for (const { lost, name } of [
  { lost: 'user/invoice', name: 'the invoices' },
  { lost: 'user', name: 'the person' },
]) {
  test(`a payment’s success stays on the screen if ${name} cannot be loaded after it`, async ({
    page,
    request,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED|Unable to load/);
    const [one, two] = (await importInvoices(office, {}, {})) as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
    await choose(page, one);
    await acceptTerms(page);
    await page.route(`**/api/${lost}`, (route) => route.abort());
    await payButton(page, '$108.25').click();
    await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('You paid $108.25');
    await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
    if (lost === 'user/invoice')
      await expect(page.getByRole('alert')).toHaveText(
        'Your payment is made, but your other invoices did not load. No answer came. Check your connection, then try again.',
      );
    await expectAccessible(page);
    await page.unroute(`**/api/${lost}`);
    if (lost === 'user/invoice') await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByLabel(`Select work order ${two.workOrderNumber}`)).not.toBeChecked();
    await expect(page.getByLabel(`Select work order ${one.workOrderNumber}`)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('You paid $108.25');
  });
}

test('a guest who has signed in reads what was paid if the person cannot be loaded', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to load/);
  const invoice = await importInvoice(office);
  const person = await makeAccount(request);
  await openInvoice(page, invoice);
  await fillAll(page);
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  const tab = await page.context().newPage();
  await signIn(tab, person);
  await page.route('**/api/user', (route) => route.abort());
  await page.reload();
  await expectPaid(page, '$108.25');
  await expect(page.getByRole('link', { name: 'See your invoices' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: `to ${person.email}` })).toBeVisible();
  await expectPaid(page, '$108.25');
});

test('a payment that is pressed again while it is still being made says to press in a moment', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|status of 409|Unable to pay/);
  const [one] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  const invoice = `${one.workOrderNumber}`;
  await scriptFault({ fault: 'slow', when: 'before', command: 'cc:authonly', invoice });
  const left = Promise.withResolvers<void>();
  await page.route(
    '**/customerportalsale',
    async (route) => {
      void route.fetch().catch(() => null);
      left.resolve();
      // The first answer is lost on the way.
      await route.abort();
    },
    { times: 1 },
  );
  await payButton(page, '$108.25').click();
  await left.promise;
  await expectRefused(page, /Press Pay again to check; you will not be charged twice\.$/);
  await payButton(page, '$108.25').click();
  await expectRefused(
    page,
    'Unable to complete payment: This payment is still being made. Press Pay again in a moment to check; you will not be charged twice.',
  );
  await resumeSlowCalls(invoice);
  await expectCaptured(one, ['108.25']);
  await payButton(page, '$108.25').click();
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('You paid $108.25');
});

test('a payment without an answer whose invoices have left the list leads to the payments', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to pay/);
  const [one] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  const made = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/customerportalsale', async (route) => {
    await route.fetch();
    made.resolve();
    await held.promise;
    await route.abort();
  });
  await payButton(page, '$108.25').click();
  await made.promise;
  await page.getByRole('link', { name: 'Payment Methods' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(heading(page)).toHaveText('Payment Methods');
  await page.getByRole('link', { name: 'Invoices' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
  held.resolve();
  const notice = page.getByRole('status').filter({ hasText: 'no clear answer' });
  await expect(notice).toBeFocused();
  await expect(page.getByText('Press Pay again')).toHaveCount(0);
  await expectAccessible(page);
  await notice.getByRole('link', { name: 'Payments' }).click();
  await expect(page).toHaveURL('/payments');
  await expect(page.getByText('$108.25').first()).toBeVisible();
});

test('a payment shows that it was made although its invoices left the list before the answer came', async ({
  page,
  request,
  office,
}) => {
  const [one] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  const made = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/customerportalsale', async (route) => {
    const response = await route.fetch();
    made.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  await payButton(page, '$108.25').click();
  await made.promise;
  // The link to the screen where one is loads it again.
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Leave this screen?' });
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
  held.resolve();
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('You paid $108.25');
});

test('a second payment asks before the link to its own screen drops it', async ({
  page,
  request,
  office,
}) => {
  const [one, two] = (await importInvoices(office, {}, {})) as [InvoiceRow, InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  await payButton(page, '$108.25').click();
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await choose(page, two);
  const sale = await holdCall(page, '**/customerportalsale', 'POST');
  await payButton(page, '$108.25').click();
  await sale.asked;
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Leave this screen?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  sale.goOn();
  await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText('You paid $108.25');
});

test('the next person at the browser reads nothing of a payment that was still being made', async ({
  page,
  request,
  office,
}) => {
  const [annas, bens] = (await importInvoices(office, {}, { locationId: 9999 })) as [InvoiceRow, InvoiceRow];
  await openDashboard(page, request, { invoices: [annas], cards: [GOOD_CARD] });
  await choose(page, annas);
  await acceptTerms(page);
  const sale = await holdCall(page, '**/customerportalsale', 'POST');
  await payButton(page, '$108.25').click();
  await sale.asked;
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  const ben = await makeCustomer(request, { invoices: [bens], cards: [GOOD_CARD] });
  await page.getByRole('link', { name: 'Log In' }).first().click();
  await fillSignIn(page, ben);
  await expect(payButton(page)).toBeVisible();
  await choose(page, bens);
  await acceptTerms(page);
  const answered = page.waitForResponse('**/customerportalsale');
  sale.goOn();
  await (await answered).finished();
  await expect(payButton(page, '$108.25')).toBeEnabled();
  await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel(`Select work order ${bens.workOrderNumber}`)).toBeChecked();
});

test('the success of one payment gives way to the decline of the next', async ({ page, request, office }) => {
  const [one, two] = (await importInvoices(office, {}, {})) as [InvoiceRow, InvoiceRow];
  await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  await payButton(page, '$108.25').click();
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await choose(page, two);
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await declineNext(two);
  await payButton(page, '$108.25').click();
  await expectRefused(page, /Your card was not charged\.$/);
  await expect(page.getByText('Payment successful!')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Your payment' })).toHaveCount(0);
});

test('a guest’s decline and form stay if the invoice cannot be looked up again', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Unable to find/);
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await fillAll(page);
  await declineNext(invoice);
  await page.route('**/user/invoice/search', (route) => route.abort());
  await pressPay(page, '$108.25');
  await expectRefused(page, /Your card was not charged\.$/);
  await expectTypedStays(page);
  await page.unroute('**/user/invoice/search');
  await page.getByRole('link', { name: 'Back to search' }).click();
  await expect(page.getByRole('button', { name: 'Find Invoice' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('Enter in an amount pays nothing, for guests as in the portal', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await fillAll(page);
  await page.getByRole('button', { name: 'Custom' }).click();
  await page.getByLabel('Custom tip amount').fill('5');
  await page.getByLabel('Custom tip amount').press('Enter');
  await page.getByLabel('Custom tip amount').fill('7');
  await pressPay(page, '$115.25');
  await expectPaid(page, '$115.25');
  await expectCaptured(invoice, ['115.25']);
});

test('names the address that the receipt goes to, after it was changed elsewhere', async ({
  page,
  request,
  office,
}) => {
  const [one] = (await importInvoices(office, {})) as [InvoiceRow];
  const customer = await openDashboard(page, request, { invoices: [one], cards: [GOOD_CARD] });
  await choose(page, one);
  await acceptTerms(page);
  const { email } = newPerson();
  await callAs(request, customer, 'POST', '/user/email', { email, password: customer.password });
  const mail = await readMail({ to: email, subject: 'Confirm your new email' });
  const token = new URL(linkIn(mail, '/mail/email')).searchParams.get('t');
  await callPortal(request, '/authentication/email/confirm', { email, token });
  await payButton(page, '$108.25').click();
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText(
    `Your receipt goes to ${email}.`,
  );
  await readMail({ to: email, subject: 'Receipt' });
});

test('a guest’s address and note are the server’s to judge', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await fillAll(page, { email: 'zoë@example' });
  await page.getByRole('button', { name: 'Add services' }).click();
  await page.getByLabel('Additional services amount').fill('10');
  const note = 'n'.repeat(501);
  await page.getByLabel('Note').fill(note);
  await expect(page.getByLabel('Note')).toHaveValue(note);
  await pressPay(page, '$119.08');
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Note')).toHaveAttribute('aria-invalid', 'true');
});
