import { randomUUID } from 'node:crypto';
import { changeRefund, plantRefund, SENDING, UNKNOWN } from './planted-refunds.ts';
import {
  expectRefundState,
  openPayment,
  payCollected,
  refundDialog,
  refundRows,
  VOIDED,
} from './refund-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { openScreen } from './support/console/staff.ts';
import { expect, test } from './support/test.ts';

// Room for SWEPT.
test.describe.configure({ timeout: 300_000 });

/** One after the other: what changes, the words of it, and its screen. */
const ON_THE_WAY = [
  {
    change: "waits_for = 'keys'",
    words: 'Waits: the provider refuses our keys',
    name: 'refund-waits-for-keys',
  },
  {
    change: "waits_for = 'older-list'",
    words: 'Waits: an older part of the provider’s list is being read',
    name: 'refund-waits-for-list',
  },
  { change: SENDING, words: 'Being sent', name: 'refund-sending' },
  {
    change: UNKNOWN,
    words: 'We asked and have no answer yet. Do not send it again; we are looking.',
    name: 'refund-unknown',
  },
] as const;

test('a refund on its way says where it stands, word for word, and that nobody is to send it again', async ({
  page,
  office,
  request,
}) => {
  await payCollected(request, office);
  const refundId = await plantRefund(office);
  await openConsole(page);
  for (const { change, words, name } of ON_THE_WAY) {
    await changeRefund(refundId, change);
    await openScreen(page, `/office/refunds/${refundId}`, 'Refund of $20.00');
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByText('Do not send it again.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0);
    await expectGood(page, name);
  }
  // What was sent is nobody's to withdraw.
  await expect(page.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
});

test('a request whose answer is lost keeps what was typed; pressed again it is the same one, and money goes back once', async ({
  page,
  office,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  await payCollected(request, office);
  await openPayment(page, office);
  const keys: (string | undefined)[] = [];
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/refunds'))
      keys.push(sent.headers()['idempotency-key']);
  });
  await page.route(
    '**/api/office/payments/*/refunds',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = refundDialog(page);
  await dialog.getByLabel('Reason').selectOption('Complaint');
  await dialog.getByLabel('Due again').check();
  await dialog.getByLabel('Note').fill('She called about it.');
  await dialog.getByRole('button', { name: 'Refund $108.25' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'We did not hear back. Press again: nothing is done twice.',
  );
  await expect(dialog.getByLabel('Note')).toHaveValue('She called about it.');
  await expect(dialog.getByLabel('Due again')).toBeChecked();
  await expectGood(page, 'refund-not-heard');
  await dialog.getByRole('button', { name: 'Refund $108.25' }).click();
  await expect(dialog).toBeHidden();
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  await expectRefundState(page, VOIDED);
  await expect(refundRows(page)).toHaveCount(1);
});

type Listed = { items: { paymentId: string }[] };

/** A part of the office's only payment, asked for by its program. */
async function askFor(
  office: Office,
  { franchiseId, workOrderNumber }: InvoiceRow,
  amount: number,
): Promise<void> {
  const { items } = (await office.send('GET', `/office/payments?franchiseId=${franchiseId}`)) as Listed;
  await office.send(
    'POST',
    `/office/payments/${items[0]?.paymentId}/refunds`,
    { reason: 'complaint', lines: [{ franchiseId, workOrderNumber, amount, effect: 'due-again' }] },
    { 'idempotency-key': randomUUID() },
  );
}

test('what is asked for meanwhile is announced above the list, whose rows stay where they are until it is shown', async ({
  page,
  office,
  request,
}) => {
  const invoice = await payCollected(request, office);
  await askFor(office, invoice, 10);
  await page.clock.install();
  await openConsole(page);
  await openScreen(page, `/office/refunds?franchiseId=${office.franchiseId}`, 'Refunds');
  const rows = page.getByRole('table', { name: 'Refunds' }).getByRole('row').filter({ hasText: 'Complaint' });
  await expect(rows).toContainText(['$10.00']);
  await askFor(office, invoice, 20);
  await page.clock.fastForward(15_000);
  const announced = page.getByRole('status').getByRole('button', { name: 'Show 1 new' });
  await expect(announced).toBeVisible();
  await expect(rows).toContainText(['$10.00']);
  await expectGood(page, 'refunds-new');
  await announced.click();
  await expect(rows).toContainText(['$20.00', '$10.00']);
  await expect(announced).toHaveCount(0);
});
