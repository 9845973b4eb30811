import { expectPaid, fillAll, importInvoice, openInvoice, pressPay } from './guest-payment-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { readMail } from './support/mailbox.ts';
import { newPerson } from './support/people.ts';
import { expectFits } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('a mail fits a phone, whatever names are in it, and can be read in light and dark', async ({
  page,
  office,
  openWindow,
}) => {
  const { email } = newPerson();
  const franchiseName = `Clearwater ${'Windowcleaning'.repeat(4)} & Sons`;
  await openInvoice(page, await importInvoice(office, { franchiseName }));
  await page.getByRole('button', { name: 'Add services' }).click();
  await page.getByLabel('Additional services amount').fill('12.5');
  await page.getByLabel('Note').fill('Oberfensterbankreinigungszusatz'.repeat(2));
  await fillAll(page, { email });
  await pressPay(page, '$121.78');
  await expectPaid(page, '$121.78');
  const { html } = await readMail({ to: email, subject: 'Receipt for your payment' });

  // In a window of its own: the portal's pages allow no styles but their files.
  const mail = await openWindow();
  await mail.setContent(html);
  await expect(mail.getByText(franchiseName)).toBeVisible();
  const background = () => mail.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await mail.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).not.toBe(light);
  await mail.emulateMedia({ colorScheme: null });
  await expectFits(mail, 'mail-receipt', [320, 390], () => expectAccessible(mail));
});
