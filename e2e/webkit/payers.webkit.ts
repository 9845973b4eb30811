import { addressOf, expectCaptured, GOOD_CARD, importInvoice } from '../guest-payment-steps.ts';
import { importInvoices, makeCustomer } from '../portal-steps.ts';
import { expect, test } from './test.ts';

test('a guest who presses twice pays once, and reads it again after Back and a reload', async ({
  webkit,
  office,
}) => {
  const invoice = await importInvoice(office);
  await webkit.open('/');
  await webkit.open(addressOf(invoice));
  await webkit.expectText(`Work Order ${invoice.workOrderNumber}`);
  await webkit.typeCard([GOOD_CARD, '1235', '123']);
  for (const [label, text] of [
    ['First name', 'Zoë'],
    ['Last name', 'O’Brien'],
    ['Street', '12 Juniper Lane'],
    ['City', 'Austin'],
    ['State', 'TX'],
    ['Postal code', '78701'],
    ['Email', 'zoe@example.com'],
  ] as const)
    await webkit.type(label, text);
  await webkit.check('I accept the terms');
  await webkit.pressTwice('Pay $');
  await webkit.expectHeading('Payment success');
  await webkit.expectPath('/guest-payment/success');
  await expectCaptured(invoice, ['108.25']);

  await webkit.driver.navigate().back();
  await webkit.expectHeading('Pay your invoice');
  await webkit.driver.navigate().forward();
  await webkit.expectHeading('Payment success');
  await webkit.driver.navigate().refresh();
  await webkit.expectHeading('Payment success');
});

test('a customer pays two invoices with a saved card, and Back after logging out shows nothing', async ({
  webkit,
  office,
  request,
}) => {
  const invoices = await importInvoices(office, {}, {});
  const customer = await makeCustomer(request, { invoices, cards: [GOOD_CARD] });
  await webkit.open('/login');
  await webkit.type('Email', customer.email);
  await webkit.type('Password', customer.password);
  await webkit.press('Sign in');
  await webkit.expectHeading('All Unpaid Invoices');
  await webkit.check('Select all invoices');
  await webkit.type('Payment method', 'Visa ending in 2224');
  await webkit.check('I accept the terms');
  await webkit.press('Pay $');
  await webkit.expectText('Payment successful!');
  for (const path of [
    '/payments',
    '/payment-methods',
    '/payment-methods/add',
    '/locations/add',
    '/account',
  ]) {
    await webkit.open(path);
    await webkit.expectText('Log out');
    expect(await webkit.overflow(), path).toBe(0);
  }
  await webkit.press('Log out');
  await webkit.expectPath('/');
  await webkit.driver.navigate().back();
  await webkit.expectHeading('Sign in');
});

test('a page comes alive at an address with escapes', async ({ webkit }) => {
  await webkit.open('/%6Cogin');
  await webkit.expectHeading('Sign in');
  await webkit.button('Sign in');
  expect(await webkit.run('return document.documentElement.dataset.stalled ?? null')).toBeNull();
});
