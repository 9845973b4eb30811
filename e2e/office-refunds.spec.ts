import { importInvoice } from './guest-payment-steps.ts';
import { leaveNotMade, plantRefund } from './planted-refunds.ts';
import { choose, giveMerchantAccount, holdCall, openDashboard, payButton } from './portal-steps.ts';
import {
  closeBatch,
  confirmAsDemo,
  expectRefundState,
  openPayment,
  payCollected,
  REFUNDED,
  refundByHand,
  refundDialog,
  refundRows,
  VOIDED,
} from './refund-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { Office } from './support/console/office.ts';
import { enrolStaff, openScreen } from './support/console/staff.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

// Room for SWEPT.
test.describe.configure({ timeout: 300_000 });

/** The sale is approved, its refund declined. */
const REFUND_DECLINED = '4000400011112228';
const REFUSED = /Refused: .+ Nothing went back; pay it back another way\./;
const PHONE = { width: 390, height: 844 };
/** No other journey closes this account's batch. */
const MERCHANT = 'south';

test('a whole payment goes back before settlement, in four keys from its page', async ({
  page,
  office,
  request,
}) => {
  const { workOrderNumber } = await payCollected(request, office, { tip: 15 });
  await openPayment(page, office);
  await expect(heading(page)).toHaveText('Payment of $123.25');
  await page.getByRole('button', { name: 'Refund', exact: true }).focus();

  await page.keyboard.press('Enter');
  await expect(refundDialog(page).getByLabel('Reason')).toBeFocused();
  // Nothing looks chosen before it is.
  await expect(refundDialog(page).getByLabel('Due again')).toHaveCSS(
    'background-color',
    'rgb(255, 255, 255)',
  );
  await page.keyboard.press('c');
  await page.keyboard.press('1');
  await expect(refundDialog(page).getByLabel('Due again')).toBeChecked();
  await expect(refundDialog(page).getByLabel('Reason')).toHaveValue('complaint');
  await expect(refundDialog(page).getByRole('status')).toHaveText(
    `The card gets $123.25 back. $108.25 is due again on work order ${workOrderNumber}.`,
  );
  await expect(refundDialog(page).getByRole('button', { name: 'Refund $123.25' })).toBeVisible();
  await expectGood(page, 'refund');
  await page.keyboard.press('Enter');

  await expect(refundDialog(page)).toBeHidden();
  await expectRefundState(page, VOIDED);
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeDisabled();
  await expect(page.getByText(`Work order ${workOrderNumber} is fully refunded.`)).toBeVisible();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('Refund of $123.25: requested')).toBeVisible();
  await expect(timeline.getByText('Refund of $123.25: sent to the provider')).toBeVisible();
  await expectGood(page, 'payment-refunded');

  await openScreen(
    page,
    `/office/invoices/${office.franchiseId}/${workOrderNumber}`,
    `Work order ${workOrderNumber}`,
  );
  await expect(page.getByRole('definition').filter({ hasText: '$108.25' }).first()).toBeVisible();
});

test('after settlement the tip goes back alone, then an amount, and nothing typed is lost by a refusal', async ({
  page,
  office,
  request,
}) => {
  const { workOrderNumber } = await payCollected(request, office, { merchant: MERCHANT, tip: 15 });
  await closeBatch(MERCHANT);
  await openPayment(page, office);
  const open = () => page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);

  await open();
  await dialog.getByLabel('The tip').check();
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('15.00');
  await expect(dialog.getByRole('group', { name: 'Afterwards' })).toBeHidden();
  await dialog.getByLabel('Reason').selectOption('Tip mistake');
  await dialog.getByRole('button', { name: 'Refund $15.00' }).click();
  await expect(dialog).toBeHidden();
  await expectRefundState(page, REFUNDED);

  await open();
  await dialog.getByLabel('An amount').check();
  await dialog.getByLabel('Amount', { exact: true }).fill('120');
  await dialog.getByLabel('Reason').selectOption('Other');
  await dialog.getByLabel('Credited').check();
  await dialog.getByLabel('Note').fill('Half of the panes.');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  const most = `At most $108.25 of work order ${workOrderNumber} can still be refunded.`;
  await expect(dialog.getByText(most)).toBeVisible();
  await expect(dialog.getByLabel('Note')).toHaveValue('Half of the panes.');
  await expect(dialog.getByLabel('Credited')).toBeChecked();
  await expectGood(page, 'refund-refused');
  await dialog.getByLabel('Amount', { exact: true }).fill('50');
  await expect(dialog.getByRole('status')).toHaveText('The card gets $50.00 back. Nothing falls due again.');
  await expect(dialog.getByRole('row', { name: 'Invoice' })).toContainText('$46.19');
  await expect(dialog.getByRole('row', { name: 'Tax' })).toContainText('$3.81');
  await dialog.getByRole('button', { name: 'Refund $50.00' }).click();
  await expect(dialog).toBeHidden();
  await expectRefundState(page, REFUNDED);

  // The same refund again within ten minutes needs confirmation.
  await open();
  await dialog.getByLabel('An amount').check();
  await dialog.getByLabel('Amount', { exact: true }).fill('50');
  await dialog.getByLabel('Reason').selectOption('Complaint');
  await dialog.getByLabel('Due again').check();
  await expect(dialog.getByRole('status')).toHaveText(
    `The card gets $50.00 back. $50.00 is due again on work order ${workOrderNumber}.`,
  );
  await dialog.getByRole('button', { name: 'Refund $50.00' }).click();
  await expect(dialog.getByRole('heading', { name: 'Refund it a second time?' })).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveText(
    /^The same amount was requested .+ ago\. Confirm that it goes back a second time\.$/,
  );
  await expectGood(page, 'refund-second-time');
  await dialog.getByRole('button', { name: 'Refund it a second time' }).click();
  await expect(dialog).toBeHidden();
  await expect(refundRows(page)).toHaveCount(3);

  await openScreen(
    page,
    `/office/invoices/${office.franchiseId}/${workOrderNumber}`,
    `Work order ${workOrderNumber}`,
  );
  await expect(page.getByText('$50.00 (your file says $108.25)')).toBeVisible();
  await expect(page.getByText('Credited, off the amount: $0.00 → $50.00')).toBeVisible();
  await expectGood(page, 'work-order-credited');
});

test('one invoice of a payment over two offices goes back, and the other stays paid', async ({
  page,
  office,
  openWindow,
  request,
}) => {
  const second = new Office(systemUnderTest(), office.franchiseId + 500_000);
  const one = await importInvoice(office, { locationId: 1 });
  const two = await importInvoice(second, {
    locationId: 2,
    description: 'Work',
    franchiseName: 'Bright Harbor',
    timeZone: 'America/Denver',
  });
  const payer = await openWindow();
  await openDashboard(payer, request, { invoices: [one, two], cards: ['4000100011112224'] });
  await choose(payer, one, two);
  await payer.getByLabel(/I accept the terms/).check();
  await payButton(payer).click();
  await expect(payer.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();

  await openPayment(page, office);
  await expect(page.getByText('Times: Chicago (America/Chicago)')).toBeVisible();
  await expect(page.getByText('Bright Harbor (times: Denver): Paid.')).toBeVisible();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);
  await dialog.getByLabel('This invoice').check();
  await dialog
    .getByLabel('Work order')
    .selectOption({ label: `${two.workOrderNumber} of Bright Harbor: $108.25` });
  await dialog.getByLabel('Reason').selectOption('Work not done');
  await dialog.getByLabel('Credited').check();
  await dialog.getByRole('button', { name: 'Refund $108.25' }).click();
  await expect(dialog).toBeHidden();
  await expectRefundState(page, 'Waits for settlement');
  await expect(refundRows(page)).toContainText([String(two.workOrderNumber)]);
  await expectGood(page, 'payment-refund-waits');

  // An unsent refund is withdrawn with a note.
  await refundRows(page).getByRole('link').click();
  await expect(heading(page)).toHaveText('Refund of $108.25');
  await expect(page.getByText('Times: Denver (America/Denver)')).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const withdraw = page.getByRole('dialog', { name: 'Withdraw $108.25' });
  await withdraw.getByLabel('Note').fill('She was wrong.');
  await expectGood(page, 'refund-withdraw');
  await withdraw.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Withdrawn. Nothing was sent.')).toBeVisible();
  await expect(page.getByText('She was wrong.')).toBeVisible();
  await expectGood(page, 'refund-withdrawn');
});

test('what a customer paid twice goes back from the overpaid invoice, and makes nothing due', async ({
  page,
  office,
  request,
}) => {
  const invoice = await payCollected(request, office);
  await office.importInvoices({ ...invoice, paidElsewhere: 20 });
  await openConsole(page);
  await page.goto(`/office/invoices/${office.franchiseId}/${invoice.workOrderNumber}`);
  const overpayment = page.getByRole('button', { name: 'Refund overpayment' });
  await overpayment.click();
  await expect(refundDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overpayment).toBeFocused();
  await overpayment.click();
  const dialog = refundDialog(page);
  await expect(dialog.getByLabel('What is overpaid')).toBeChecked();
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('20.00');
  await dialog.getByLabel('Reason').selectOption('Overpaid');
  await expect(dialog.getByRole('status')).toHaveText('The card gets $20.00 back. Nothing falls due again.');
  await expectGood(page, 'refund-overpayment');
  const sent = await holdCall(page, '**/office/payments/*/refunds', 'POST');
  await dialog.getByRole('button', { name: 'Refund $20.00' }).click();
  await sent.asked;
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  sent.goOn();
  await expect(dialog).toBeHidden();
  await expect(refundRows(page)).toContainText(['$20.00']);

  // That it is on its way is no error.
  await page.getByRole('button', { name: 'Refund overpayment' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'It is being returned:' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('above the limit somebody else approves, who finds it by what it needs', async ({
  page,
  office,
  openWindow,
  request,
}) => {
  const { workOrderNumber } = await payCollected(request, office, {
    invoice: { amount: 254.13, salesTaxAmount: 0, salesTaxRate: 0 },
  });
  const clerk = await enrolStaff(page, office);
  await page.goto('/office/payments');
  await page.getByRole('rowheader').getByRole('link').click();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);
  await dialog.getByLabel('Reason').selectOption('Wrong amount');
  await dialog.getByLabel('Due again').check();
  await expect(dialog.getByText(/This is above your limit/)).toBeVisible();
  await expectGood(page, 'refund-above-limit');
  await dialog.getByRole('button', { name: 'Request approval of $254.13' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('Request approval of a refund of $254.13')).toBeVisible();
  await confirm.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(dialog).toBeHidden();
  await expect(refundRows(page)).toContainText(['Waits for approval']);
  await refundRows(page).getByRole('link').click();
  await expect(page.getByText('Somebody else has to approve this refund.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expectGood(page, 'refund-own-request');

  const headquarters = await openWindow();
  await openConsole(headquarters);
  await headquarters.goto(`/office/refunds?franchiseId=${office.franchiseId}`);
  await headquarters.getByLabel('Needs').selectOption('Approval');
  await expect(headquarters).toHaveURL(/needs=approval/);
  await expect(headquarters.getByRole('rowheader')).toHaveText([`Quill ${office.franchiseId}`]);
  // Headquarters sees every office's, including those of journeys running in parallel.
  await expect(headquarters.getByText(/^(1 waits|[1-9]\d*\+? wait) for somebody$/).first()).toBeAttached();
  await expectGood(headquarters, 'refunds');
  await headquarters.getByRole('rowheader').getByRole('link').click();
  await expect(heading(headquarters)).toHaveText('Refund of $254.13');
  await expectGood(headquarters, 'refund-page');
  await headquarters.getByRole('button', { name: 'Approve' }).click();
  await expectGood(headquarters, 'refund-approve');
  await headquarters
    .getByRole('dialog', { name: 'Approve $254.13' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await confirmAsDemo(headquarters);
  await expect(headquarters.getByText('Approved', { exact: true }).first()).toBeVisible();
  // Approve is gone, and the dialog with it: the focus goes to the screen's title.
  await expect(headquarters.getByRole('heading', { level: 1 })).toBeFocused();
  await openScreen(page, '/office/refunds', 'Refunds');
  await expect(page.getByRole('row').filter({ hasText: String(workOrderNumber) })).toBeVisible();
});

test('an approval shows and confirms all that was asked for at once, over two merchant accounts', async ({
  page,
  office,
  openWindow,
  request,
}) => {
  const second = new Office(systemUnderTest(), office.franchiseId + 500_000);
  const one = await importInvoice(office, { locationId: 1 });
  const two = await importInvoice(second, {
    locationId: 2,
    description: 'Work',
    franchiseName: 'Bright Harbor',
  });
  await giveMerchantAccount(second, 'north');
  const payer = await openWindow();
  await openDashboard(payer, request, { invoices: [one, two], cards: ['4000100011112224'] });
  await choose(payer, one, two);
  await payer.getByLabel(/I accept the terms/).check();
  await payButton(payer).click();
  await expect(payer.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
  await plantRefund(office, { needsApproval: true });

  await openConsole(page);
  await page.goto(`/office/refunds?franchiseId=${office.franchiseId}`);
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(heading(page)).toHaveText('Refund of $20.00');
  const together = page.getByRole('definition').filter({ hasText: '2 refunds, $40.00 in all' });
  await expect(together).toContainText('$20.00: this refund');
  await expectGood(page, 'refund-together');
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve $40.00 in 2 refunds' });
  await expectGood(page, 'refund-approve-together');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText(/^Approve 2 refunds, \$40\.00 in all, that .+ asked for/)).toBeVisible();
  await confirmAsDemo(page);
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible();
  await together.getByRole('link', { name: '$20.00' }).click();
  await expect(page.getByText(String(two.workOrderNumber))).toBeVisible();
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible();
});

test('a refund that somebody made by hand holds ours, which takes it over after a second factor', async ({
  page,
  office,
  request,
}) => {
  const invoice = await payCollected(request, office, { merchant: MERCHANT });
  await closeBatch(MERCHANT);
  await refundByHand(MERCHANT, invoice, '20.00');
  await openPayment(page, office);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);
  await dialog.getByLabel('An amount').check();
  await dialog.getByLabel('Amount', { exact: true }).fill('20.00');
  await dialog.getByLabel('Reason').selectOption('Complaint');
  await dialog.getByLabel('Due again').check();
  await dialog.getByRole('button', { name: 'Refund $20.00' }).click();
  await expect(dialog).toBeHidden();
  await expectRefundState(page, 'Needs a decision: the provider shows a refund that nobody has claimed.');
  await expect(
    page.getByText('A refund of this payment waits for a decision. Decide it first.'),
  ).toBeVisible();

  await refundRows(page).getByRole('link').click();
  await expect(heading(page)).toHaveText('Refund of $20.00');
  await expectGood(page, 'refund-held');
  await page.getByRole('button', { name: 'Keep asking' }).click();
  await expect(
    page.getByText('If it was sent, it is never sent a second time.', { exact: true }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Adopt this transaction: \$20\.00/ }).click();
  const adopt = page.getByRole('dialog', { name: 'Adopt this transaction: $20.00' });
  await adopt.getByLabel('Note').fill('Olive did it at the provider.');
  await expectGood(page, 'refund-decide');
  await adopt.getByRole('button', { name: 'Adopt this transaction' }).click();
  await confirmAsDemo(page);
  await expect(page.getByText(REFUNDED)).toBeVisible();
  await expect(page.getByText('The provider’s transaction was adopted')).toBeVisible();
  await expectGood(page, 'refund-made');
});

test('a refund that the bank refuses is closed with a note, on a phone', async ({
  page,
  office,
  request,
}) => {
  await page.setViewportSize(PHONE);
  await payCollected(request, office, { merchant: MERCHANT, card: REFUND_DECLINED });
  await closeBatch(MERCHANT);
  await openConsole(page);
  await page.goto(`/office/payments?franchiseId=${office.franchiseId}`);
  const quill = page.getByRole('group', { name: `Quill ${office.franchiseId}` });
  await quill.getByRole('link').click();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);
  await dialog.getByLabel('Reason').selectOption('Complaint');
  await dialog.getByLabel('Due again').check();
  await dialog.getByRole('button', { name: 'Refund $108.25' }).click();
  await expect(dialog).toBeHidden();
  await expectRefundState(page, REFUSED, page.getByRole('region', { name: 'Refunds' }).getByRole('group'));

  await page.goto(`/office/refunds?franchiseId=${office.franchiseId}&needs=person`);
  await quill.getByRole('link').click();
  // The list says the same words until the refund is there.
  await expect(heading(page)).toHaveText('Refund of $108.25');
  await expect(page.getByText(REFUSED)).toBeVisible();
  await expect(page.getByText('It is safe to send again, but may be refused again.')).toBeVisible();
  const acts = page.getByRole('button', { name: /^(Close with a note|Send again)$/ });
  await expect(acts).toHaveText(['Close with a note', 'Send again']);
  await expectGood(page, 'refund-page-refused');
  await page.getByRole('button', { name: 'Close with a note' }).click();
  const closing = page.getByRole('dialog', { name: 'Close $108.25' });
  await closing.getByLabel('Note').fill('Paid back by check.');
  await expectGood(page, 'refund-close');
  await closing.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Closed: it needs nobody any more.')).toBeVisible();
  await expectGood(page, 'refund-closed');
});

test('a refund that was not made is sent again', async ({ page, office, request }) => {
  await payCollected(request, office);
  await leaveNotMade(office);
  await openConsole(page);
  await page.goto(`/office/refunds?franchiseId=${office.franchiseId}&needs=person`);
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(heading(page)).toHaveText('Refund of $20.00');
  await expect(page.getByText('Not made. Nothing went back. It is safe to send again.')).toBeVisible();
  await expectGood(page, 'refund-not-made');
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send $20.00 again' });
  await expectGood(page, 'refund-send-again');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('In place of one that came to nothing')).toBeVisible();
});
