import { expectPaid, fillAll, importInvoice, openInvoice, pressPay } from './guest-payment-steps.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const PAGES = [
  { path: '/', name: 'landing' },
  { path: '/guest-payment', name: 'quick-pay' },
  { path: '/guest-payment/success', name: 'quick-pay-success' },
  { path: '/login', name: 'login' },
  { path: '/register', name: 'register' },
  { path: '/register/success', name: 'register-success-later' },
  { path: '/forgot-password', name: 'forgot-password-empty' },
  { path: '/resetpassword', name: 'reset-password-invalid' },
  { path: '/confirm', name: 'confirm-invalid' },
  { path: '/invitation', name: 'accept-invite-invalid' },
  { path: '/mail/email', name: 'mail-email-invalid' },
  { path: '/mail/undo', name: 'mail-undo-invalid' },
  { path: '/terms', name: 'terms' },
  { path: '/no-such-page', name: 'not-found' },
];

for (const { path, name } of PAGES) {
  test(`${path} opens quietly, can be read by everyone, and fits every screen`, async ({
    page,
    consoleGuard,
  }) => {
    if (name === 'not-found') consoleGuard.allow(/status of 404/);
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await expectGoodScreen(page, name);
  });
}

const LONG_STREET = `1200 ${'Llanfairpwllgwyngyll'.repeat(3)} Boulevard Northwest, Apartment 14 B`;

test('/guest-payment/success with an offer for a long street can be read by everyone, and fits every screen', async ({
  page,
  office,
}) => {
  const invoice = await importInvoice(office, { addressLine1: LONG_STREET });
  await openInvoice(page, invoice);
  await fillAll(page, { email: 'a.rather.long.address.of.a.payer@subdomain.example.com' });
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  const offer = page.getByRole('region', { name: 'Create your account' });
  await expect(offer.getByText(LONG_STREET)).toBeVisible();
  await expectGoodScreen(page, 'quick-pay-success-offer');
});
