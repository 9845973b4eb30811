import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openInvoice } from './guest-payment-steps.ts';
import {
  changeRefund,
  HELD_BY_RESTORE,
  NOT_RULED_OUT,
  plantRefund,
  SENDING,
  showRefundThere,
  UNKNOWN,
} from './planted-refunds.ts';
import {
  closeBatch,
  confirmAsDemo,
  expectRefundState,
  openPayment,
  payCollected,
  REFUNDED,
  refundDialog,
  refundRows,
  SWEPT,
  VOIDED,
  voidRefundByHand,
} from './refund-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { openScreen } from './support/console/staff.ts';
import { readMail } from './support/mailbox.ts';
import { newPerson } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Room for SWEPT.
test.describe.configure({ timeout: 300_000 });

/** No other journey pays on this account. */
const MERCHANT = 'west';

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

/** The rows of the list of refunds. */
const listed = (page: Page) =>
  page.getByRole('table', { name: 'Refunds' }).getByRole('row').filter({ hasText: 'Complaint' });

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
  const rows = listed(page);
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

test('a refund that was voided at the provider is taken back once its record shows it, and the payer is told', async ({
  page,
  office,
  openWindow,
  request,
}) => {
  const { email } = newPerson();
  const invoice = await payCollected(request, office, { merchant: MERCHANT, email });
  await closeBatch(MERCHANT);
  await askFor(office, invoice, 20);
  await openConsole(page);
  await page.goto(`/office/refunds?franchiseId=${office.franchiseId}`);
  await expectRefundState(page, REFUNDED, listed(page));
  await listed(page).getByRole('link').click();
  await expect(heading(page)).toHaveText('Refund of $20.00');
  await expect(page.getByRole('heading', { name: 'What went back' })).toBeVisible();

  const guest = await openWindow();
  await openInvoice(guest, invoice);
  const refundsTold = guest
    .getByRole('region', { name: 'Payment history' })
    .getByRole('row')
    .filter({ hasText: 'Refund' });
  await expect(refundsTold).toContainText(['-$20.00']);
  const pay = guest.getByRole('button', { name: 'Pay $20.00' });
  await expect(pay).toBeVisible();

  await page.getByRole('button', { name: 'It was taken back' }).click();
  const dialog = page.getByRole('dialog', { name: 'It was taken back: $20.00' });
  await expect(
    dialog.getByText(
      'We ask the provider once more. If its record shows that this refund was taken back, our books take it back too, and the payer is told. If not, nothing changes.',
    ),
  ).toBeVisible();
  await expect(dialog.getByText('Nothing is sent to the provider.')).toBeVisible();
  await dialog.getByLabel('Note').fill('The bank told us.');
  const takeBack = async () => {
    await dialog.getByRole('button', { name: 'It was taken back' }).click();
    await confirmAsDemo(page);
  };
  await takeBack();
  await expect(dialog.getByRole('alert')).toHaveText(
    'The provider’s records do not prove this. Nothing was changed.',
  );
  await expect(dialog.getByLabel('Note')).toHaveValue('The bank told us.');
  await voidRefundByHand(MERCHANT, invoice);
  await takeBack();
  await expect(dialog).toBeHidden();
  const undone = /^Undone \w{3} \d+.*: the provider took it back\.$/;
  await expect(page.getByText(undone)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What was taken back' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'It was taken back' })).toHaveCount(0);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('Undone: the provider took it back')).toBeVisible();
  await expect(timeline.getByText('The bank told us.')).toBeVisible();
  await expect(timeline.getByText('Mail that the refund was taken back queued')).toBeVisible();

  await openPayment(page, office);
  await expect(refundRows(page)).toContainText([/Undone .+: the provider took it back\./]);
  await expect(page.getByRole('region', { name: 'Mail' }).getByText('Refund taken back')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeEnabled();

  await guest.reload();
  await expect(guest.getByRole('region', { name: 'Payment history' })).toBeVisible();
  await expect(refundsTold).toHaveCount(0);
  await expect(pay).toHaveCount(0);
  const mail = await readMail({ to: email, subject: 'Your refund of $20.00 was taken back' });
  expect(mail.text).toContain('The money was not returned.');
  expect(mail.text).toMatch(/\$20\.00 counts as paid again on work order \d+\./);
});

test('a refused act leaves no stale refund on the screen: one withdrawn meanwhile offers no approval', async ({
  page,
  office,
  request,
}) => {
  await payCollected(request, office);
  const refundId = await plantRefund(office, { needsApproval: true });
  await openConsole(page);
  await page.goto(`/office/refunds/${refundId}`);
  const approve = page.getByRole('button', { name: 'Approve' });
  await approve.click();
  const dialog = page.getByRole('dialog', { name: 'Approve $20.00' });
  await changeRefund(refundId, "state = 'withdrawn'");
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await confirmAsDemo(page);
  await expect(dialog.getByRole('alert')).toHaveText('This refund does not wait for approval.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Withdrawn. Nothing was sent.')).toBeVisible();
  await expect(approve).toHaveCount(0);
});

test('what the provider shows since the page was read is shown before anybody lets it pass', async ({
  page,
  office,
  request,
}) => {
  await payCollected(request, office);
  const refundId = await plantRefund(office);
  await changeRefund(refundId, HELD_BY_RESTORE);
  await openConsole(page);
  await page.goto(`/office/refunds/${refundId}`);
  await expect(page.getByText('No refund of this payment that nobody has claimed.')).toBeVisible();
  await showRefundThere(refundId);
  const keepAsking = page.getByRole('button', { name: 'Keep asking' });
  await keepAsking.click();
  const dialog = page.getByRole('dialog', { name: 'Keep asking: $20.00' });
  await dialog.getByLabel('Note').fill('Nobody did it by hand.');
  const press = async () => {
    await dialog.getByRole('button', { name: 'Keep asking' }).click();
    await confirmAsDemo(page);
  };
  await press();
  await expect(dialog.getByRole('alert')).toHaveText(
    'What holds this refund has changed since you looked. Look at it again, then decide.',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const shown = page.getByRole('table', { name: 'What the provider shows' });
  await expect(shown).toContainText('$20.00');
  await keepAsking.click();
  await dialog.getByLabel('Note').fill('A different matter.');
  await press();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Timeline' }).getByText('Kept asking')).toBeVisible();
});

test('a refund that nobody could rule out is ruled out by a person, after the provider’s records were read', async ({
  page,
  office,
  request,
}) => {
  await payCollected(request, office);
  const refundId = await plantRefund(office);
  await changeRefund(refundId, SENDING, UNKNOWN, NOT_RULED_OUT);
  await openConsole(page);
  await openScreen(page, '/office/review', 'Review');
  const held = page.getByRole('table', { name: 'Held refunds' }).locator(`a[href$="/refunds/${refundId}"]`);
  await held.click();
  await expect(heading(page)).toHaveText('Refund of $20.00');
  await expect(
    page.getByText(
      'Needs a decision: after a day the provider shows neither that it was made nor that it was not.',
    ),
  ).toBeVisible();
  await expect(page.getByText('Do not send it again.', { exact: true })).toBeVisible();
  await expect(page.getByText('No refund of this payment that nobody has claimed.')).toBeVisible();
  await page.getByRole('button', { name: 'It was not made' }).click();
  const dialog = page.getByRole('dialog', { name: 'It was not made: $20.00' });
  await expect(
    dialog.getByText(
      'We read the provider’s records first. If they show no refund that nobody has claimed, this one ends as not made and can be sent again. If they do not prove it, nothing changes.',
    ),
  ).toBeVisible();
  await expect(dialog.getByText('Nothing is sent to the provider.')).toBeVisible();
  await dialog.getByLabel('Note').fill('Not in their console.');
  await dialog.getByRole('button', { name: 'It was not made' }).click();
  await confirmAsDemo(page);
  // Reading the records takes its turn in the account's budget of listings.
  await expect(dialog).toBeHidden(SWEPT);
  await expect(page.getByText('Not made. Nothing went back. It is safe to send again.')).toBeVisible();
  await expect(page.getByText('It is safe to send again.', { exact: true })).toBeVisible();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('Not made', { exact: true })).toBeVisible();
  await expect(timeline.getByText('Not in their console.')).toBeVisible();
  for (const button of ['It was not made', 'Keep asking'])
    await expect(page.getByRole('button', { name: button })).toHaveCount(0);
  for (const button of ['Send again', 'Close with a note'])
    await expect(page.getByRole('button', { name: button })).toBeVisible();
});
