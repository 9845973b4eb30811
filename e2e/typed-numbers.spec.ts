import {
  acceptTerms,
  addressOf,
  expectCaptured,
  expectPaid,
  fillAll,
  GOOD_CARD,
  importInvoice,
  openInvoice,
  pressPay,
  searchFor,
} from './guest-payment-steps.ts';
import { submitNumbers } from './location-steps.ts';
import { choose, importInvoices, openDashboard, payButton, workOrder } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import type { InvoiceRow } from './support/console/office.ts';
import { makeAccount, signIn } from './support/people.ts';
import { expectFits } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('a guest’s invalid amount shows an error under its field, and nothing is paid', async ({
  page,
  office,
}) => {
  await openInvoice(page, await importInvoice(office));
  await fillAll(page);
  await page.getByRole('button', { name: 'Add services' }).click();
  const services = page.getByLabel('Additional services amount');
  const pay = page.getByRole('button', { name: /^Pay \$/ });

  await services.fill('12.34');
  await page.getByLabel('Note').fill('Gutters');
  await expect(pay).toBeEnabled();
  const total = await pay.textContent();

  await services.fill('12.345');
  await expect(services).toHaveAccessibleDescription(/Please enter dollars and cents, like 12\.50\./);
  await expect(services).toHaveValue('12.345');
  await expect(pay).toBeDisabled();
  await expect(pay).toHaveText(total ?? '');
  await expectFits(page, 'amount-fault');
  await expectAccessible(page);

  await services.fill('100000');
  await expect(services).toHaveAccessibleDescription(/Please enter at most \$99,999\.00\./);
  await expect(pay).toBeDisabled();

  await services.fill('');
  await services.pressSequentially('-');
  await expect(services).toHaveAccessibleDescription(/This is not a number, so it counts as \$0\.00\./);
  await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();

  await services.fill('12.34');
  await expect(services).not.toHaveAccessibleDescription(/Please enter|not a number/);
  const tip = page.getByRole('group', { name: 'Tip' });
  await tip.getByRole('button', { name: 'Custom' }).click();
  await tip.getByLabel('Custom tip amount').fill('-5');
  await expect(tip.getByLabel('Custom tip amount')).toHaveAccessibleDescription(
    'Please enter $0.00 or more.',
  );
  await expect(pay).toBeDisabled();
  const preset = tip.getByRole('button', { name: '15%' });
  await preset.click();
  await expect(pay).toBeEnabled();

  await preset.click();
  await tip.getByLabel('Custom tip amount').pressSequentially('-');
  await expect(tip).toContainText('This is not a number');
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'false');
  await expect(tip).not.toContainText('This is not a number');
});

test('a comma that the browser leaves out of an amount makes nobody pay a hundred times as much', async ({
  page,
  office,
}) => {
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await fillAll(page);
  await page.getByRole('button', { name: 'Add services' }).click();
  const services = page.getByLabel('Additional services amount');
  const pay = page.getByRole('button', { name: /^Pay \$/ });
  const fault = /Please use a point for cents, like 12\.50\./;

  await services.pressSequentially('12,50');
  await expect(services).toHaveAccessibleDescription(fault);
  await expect(pay).toBeDisabled();
  await expect(pay).not.toContainText('$1,');
  await expectFits(page, 'amount-comma');
  await page.getByLabel('First name').focus();
  await services.press('End');
  await services.press('Backspace');
  await expect(services).toHaveAccessibleDescription(fault);
  await services.press('Backspace');
  await services.pressSequentially('.50');
  await expect(services).not.toHaveAccessibleDescription(fault);
  await page.getByLabel('Note').fill('Gutters');
  await expect(pay).toBeEnabled();
  const total = await pay.textContent();

  await services.fill('');
  await services.pressSequentially('1,250');
  await expect(services).not.toHaveAccessibleDescription(fault);
  await services.pressSequentially('.00');
  await expect(pay).toBeEnabled();
  await expect(pay).toHaveText('Pay $1,461.38');

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('12,50'));
  await services.press('ControlOrMeta+a');
  await services.press('ControlOrMeta+v');
  await expect(services).toHaveAccessibleDescription(fault);
  await expect(pay).toBeDisabled();
  await page.evaluate(() => navigator.clipboard.writeText('12.50'));
  await services.press('ControlOrMeta+a');
  await services.press('ControlOrMeta+v');
  await expect(services).not.toHaveAccessibleDescription(fault);
  await expect(pay).toHaveText(total ?? '');
});

test('a tip with a comma cannot be paid, over a reload too, until it has a point', async ({
  page,
  request,
  office,
}) => {
  const [invoice] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
  await choose(page, invoice);
  await acceptTerms(page);
  const row = workOrder(page, invoice);
  const tip = row.getByLabel('Custom tip amount');
  await row.getByRole('button', { name: 'Custom' }).click();
  await tip.pressSequentially('3,05');
  await expect(tip).toHaveAccessibleDescription(/Please use a point for cents/);
  await expect(payButton(page)).toBeDisabled();

  await page.reload();
  await expect(tip).toHaveAccessibleDescription(/Please use a point for cents/);
  await expect(payButton(page)).toBeDisabled();
  await tip.fill('3.05');
  await expect(tip).not.toHaveAccessibleDescription(/Please use a point for cents/);
  await expect(payButton(page, '$111.30')).toBeEnabled();
});

test('a guest’s amount that is no number counts as $0.00, and the rest is paid', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await fillAll(page);
  await page.getByRole('button', { name: 'Add services' }).click();
  await page.getByLabel('Additional services amount').pressSequentially('-');
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  await expectCaptured(invoice, ['108.25']);
});

test('a customer’s tip that is no number counts as $0.00, and the rest is paid', async ({
  page,
  request,
  office,
}) => {
  const [invoice] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
  await choose(page, invoice);
  await acceptTerms(page);
  const row = workOrder(page, invoice);
  await row.getByRole('button', { name: 'Custom' }).click();
  await row.getByLabel('Custom tip amount').pressSequentially('e');
  await payButton(page, '$108.25').click();
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await expectCaptured(invoice, ['108.25']);
});

test('a customer’s amount that cannot be paid stays as typed, over a reload too, until it is corrected', async ({
  page,
  request,
  office,
}) => {
  const [invoice] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [invoice], cards: ['4000100011112224'] });
  await choose(page, invoice);
  await page.getByLabel(/I accept the terms/).check();
  const row = workOrder(page, invoice);
  await row.getByRole('button', { name: 'Custom' }).click();
  await row.getByLabel('Custom tip amount').fill('3.005');
  await expect(payButton(page)).toBeDisabled();

  await page.reload();
  await expect(row.getByLabel('Custom tip amount')).toHaveValue('3.005');
  await expect(row.getByLabel('Custom tip amount')).toHaveAccessibleDescription(/dollars and cents/);
  await expect(payButton(page)).toBeDisabled();
  await row.getByLabel('Custom tip amount').fill('3.05');
  await expect(payButton(page, '$111.30')).toBeEnabled();
});

const ZEROS = [
  { franchise: '0', workOrder: '1042', message: 'Invalid franchise number' },
  { franchise: '11', workOrder: '0', message: 'Invalid work order number' },
];

for (const { franchise, workOrder: number, message } of ZEROS) {
  test(`a search is not made: ${message}`, async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await page.goto('/guest-payment');
    await searchFor(page, { franchise, workOrder: number, zip: '78701' });
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(page.getByLabel('Zip Code')).toHaveValue('78701');
    await page.goto(
      addressOf({ franchiseId: franchise, workOrderNumber: number, zipCode: '78701' } as never),
    );
    await expect(page.getByRole('alert')).toHaveText(message);
    expect(calls.filter((url) => url.includes('/invoice/search'))).toEqual([]);
  });

  test(`a location is not asked for: ${message}`, async ({ page, request }) => {
    const calls: string[] = [];
    page.on('request', (asked) => calls.push(`${asked.method()} ${new URL(asked.url()).pathname}`));
    await signIn(page, await makeAccount(request));
    await page.goto('/locations/add');
    await submitNumbers(page, { franchise, workOrder: number, zip: '78701' });
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(page.getByLabel('Zip Code')).toHaveValue('78701');
    expect(calls).not.toContain('POST /api/user/location');
  });
}

test('what was added to an earlier payment is shown with it', async ({ page, office }) => {
  const invoice = await importInvoice(office);
  await openInvoice(page, invoice);
  await page.getByRole('button', { name: 'Add services' }).click();
  await page.getByLabel('Additional services amount').fill('10');
  await page.getByLabel('Note').fill('Gutters');
  const tip = page.getByRole('group', { name: 'Tip' });
  await tip.getByRole('button', { name: 'Custom' }).click();
  await tip.getByLabel('Custom tip amount').fill('5');
  await fillAll(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page).toHaveURL('/guest-payment/success');
  await openInvoice(page, invoice);
  const history = page.getByRole('region', { name: 'Payment history' });
  await expect(history).toContainText('Card');
  await expect(history).toContainText('with $10.00 additional services and $5.00 tip');
  await expectFits(page, 'payment-history');
});
