import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../tools/root.ts';
import { importInvoice } from './guest-payment-steps.ts';
import { makeCustomer, payByCall } from './portal-steps.ts';
import { openConsole } from './support/console/console.ts';
import { CONSOLE_STATES, type ConsoleState, expectGood } from './support/console/console-states.ts';
import { enrolStaff, inviteStaff, openScreen } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

const APP = join(root, 'apps/office/app');

test('every route and every dialog of the console has states, and every state has a journey', () => {
  const states = Object.entries(CONSOLE_STATES);
  const statesOf = (file: string) => states.filter(([, source]) => source === file).length;
  const sources = globSync('**/*.tsx', { cwd: APP, exclude: ['**/*.test.tsx'] }).map((file) => ({
    file,
    text: readFileSync(join(APP, file), 'utf8'),
  }));
  const isScreen = (file: string) => file.startsWith('routes/') && !/(layout|screen|start)\.tsx$/.test(file);
  const missing = sources.filter(({ file, text }) => {
    const dialogs =
      file === 'ui/act/act-dialog.tsx' ? 0 : (text.match(/<(Act|Leave)?Dialog\b/g) ?? []).length;
    return statesOf(file) < Math.max(dialogs, isScreen(file) ? 1 : 0);
  });
  expect(missing.map(({ file }) => file)).toEqual([]);
  const files = new Set(sources.map(({ file }) => file));
  expect(states.filter(([, source]) => !files.has(source))).toEqual([]);

  const journeys = globSync('office-*.spec.ts', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const comesBy = (state: string) =>
    new RegExp(`expectGood\\(\\w+, '${state}'|name: '${state}'|, '${state}'\\]`);
  const unseen = states.filter(([state]) => !journeys.some((text) => comesBy(state).test(text)));
  expect(unseen).toEqual([]);
});

/** Opens each button's dialog, checks it, and closes it with Escape. */
async function lookAtDialogs(page: Page, dialogs: [button: string, state: ConsoleState][]): Promise<void> {
  for (const [button, state] of dialogs) {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectGood(page, state);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

test('what may be done about staff', async ({ page, office, openWindow }) => {
  await office.importInvoices({});
  const owner = await enrolStaff(page, office, { role: 'owner' });
  const invited = await inviteStaff(office);
  await enrolStaff(await openWindow(), office);
  await openScreen(page, '/office/settings/staff', 'Staff');
  await expect(page.getByRole('row').filter({ hasText: owner.email })).toBeVisible();
  await lookAtDialogs(page, [
    ['Change Clara Benson', 'staff-change'],
    ['Reset factors of Clara Benson', 'staff-reset'],
    ['Switch off Clara Benson', 'staff-off'],
    [`Send a new link to ${invited.email}`, 'staff-link'],
  ]);
  // Merchant keys are headquarters' alone.
  await openScreen(page, '/office/settings/merchant-account', 'You cannot see this');
});

test('what one may do about one’s own factors', async ({ page, office }) => {
  await office.importInvoices({});
  await enrolStaff(page, office);
  await openScreen(page, '/office/settings/account', 'Your account');
  await lookAtDialogs(page, [
    ['Add', 'factor-add'],
    ['Rename Phone', 'factor-rename'],
    ['Remove Phone', 'factor-remove'],
  ]);
});

test('a customer whose access is about to end', async ({ page, office, request }) => {
  const invoice = await importInvoice(office);
  const { email } = await makeCustomer(request, { invoices: [invoice] });
  await openConsole(page);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  await page.getByRole('listitem').filter({ hasText: email }).locator('summary').click();
  await lookAtDialogs(page, [['End access', 'end-access']]);
});

/** On a phone the bar at the foot holds what can be pressed, in one line; what can't goes by with the page. */
async function expectInBar(
  page: Page,
  { pressed, notPossible }: { pressed: string; notPossible: string[] },
): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  const act = (name: string) => page.getByRole('button', { name, exact: true });
  await page.getByRole('region', { name: 'Other payments of these work orders' }).scrollIntoViewIfNeeded();
  await expect(act(pressed)).toBeInViewport({ ratio: 1 });
  for (const name of notPossible) await expect(act(name)).not.toBeInViewport();
  if (before) await page.setViewportSize(before);
}

test('a payment that was declined offers no receipt and says why; a note stays with its payment; a credit is looked at', async ({
  page,
  office,
  request,
}) => {
  const declined = await importInvoice(office);
  for (let tries = 0; tries < 2; tries++) await payByCall(request, declined, { card: '4000300611112224' });
  const credited = await importInvoice(office, {
    customerNumber: 2,
    customerName: 'Cora Credit',
    locationId: 2,
  });
  await payByCall(request, credited, {
    additionalServiceAmount: -10,
    additionalServicesNote: 'One pane was left out.',
  });
  await openConsole(page);
  await openScreen(page, `/office/payments?franchiseId=${office.franchiseId}&state=declined`, 'Payments');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByRole('button', { name: 'Send receipt' })).toBeDisabled();
  await expect(page.getByText('There is no receipt: nothing was paid.')).toBeVisible();
  await expectGood(page, 'payment-declined');
  await expectInBar(page, { pressed: 'Copy link', notPossible: ['Refund', 'Send receipt'] });
  const note = page.getByRole('textbox', { name: 'Note', exact: true });
  await note.fill('Half a sentence about this');
  const address = page.url();
  await page.getByRole('region', { name: 'Other payments of these work orders' }).getByRole('link').click();
  await expect(page).not.toHaveURL(address);
  await expect(page.getByRole('button', { name: 'Send receipt' })).toBeDisabled();
  await expect(note).toHaveValue('');

  await openScreen(page, `/office/payments?franchiseId=${office.franchiseId}&state=paid`, 'Payments');
  await page.getByRole('link', { name: 'Cora Credit' }).click();
  const looked = page.getByRole('button', { name: /^Looked at the credit/ });
  await looked.click();
  const dialog = page.getByRole('dialog', { name: 'Credit looked at' });
  await dialog.getByLabel('Note').fill('She sent a picture.');
  await expectGood(page, 'credit-looked-at');
  await dialog.getByRole('button', { name: 'Looked at' }).click();
  await expect(dialog).toBeHidden();
  await expect(looked).toHaveCount(0);
  await expect(page.getByText('She sent a picture.')).toHaveCount(2);
  await expectGood(page, 'payment-credit-noted');
});

/** What is recorded where the provider did not show the whole list. */
async function recordIncompleteComparison(): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `INSERT INTO book_comparison (merchant_account_id, ended_at, is_complete, incomplete_since, due_at)
       SELECT id, engine_now(), false, engine_now(), engine_now() + interval '1 day'
         FROM merchant_account WHERE franchise_id IS NULL AND replaced_at IS NULL
       ON CONFLICT (merchant_account_id) DO UPDATE
          SET ended_at = excluded.ended_at, is_complete = false, incomplete_since = excluded.incomplete_since,
              due_at = excluded.due_at`,
    ),
  );
}

test('a comparison that could not see everything, and what it found after a restore', async ({
  page,
  office,
}) => {
  const invoice = await importInvoice(office);
  const orderId = `found-${invoice.workOrderNumber}`;
  await inDatabase(async (client) => {
    await client.query(
      `INSERT INTO found_payment (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
       SELECT $1, $1, id, '100200300', 10825, 'captured', false
         FROM merchant_account WHERE franchise_id IS NULL AND replaced_at IS NULL`,
      [orderId],
    );
    await client.query(
      `INSERT INTO found_payment_work_order (order_id, transaction_key, franchise_id, work_order_number)
       VALUES ($1, $1, $2, $3)`,
      [orderId, invoice.franchiseId, invoice.workOrderNumber],
    );
  });
  await openConsole(page);
  // Until no comparison that a journey beside this one asks for comes in between.
  await expect(async () => {
    await recordIncompleteComparison();
    await openScreen(page, '/office/review', 'Review');
    await expect(page.getByText(/^Last compared/)).toHaveText(/, incomplete, \d+ differences?\.$/, {
      timeout: 5_000,
    });
  }).toPass();
  const row = page.getByRole('table', { name: 'Found payments' }).getByRole('row', { name: orderId });
  await expect(row.first()).toContainText('$108.25');
  await expectGood(page, 'found-payments');
  await expect(page.getByText(/^Last compared/)).toHaveText(/, incomplete, \d+ differences?\.$/);
  await expectGood(page, 'review-incomplete');
  const acknowledge = page.getByRole('button', { name: `Acknowledge: order ${orderId}` });
  await acknowledge.click();
  const dialog = page.getByRole('dialog', { name: 'Acknowledge $108.25' });
  await expectGood(page, 'found-payment-acknowledge');
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(dialog).toBeHidden();
  await expect(acknowledge).toHaveCount(0);
});

test('on a foreign origin the console only links to its own', async ({ page }) => {
  const { portalUrl } = systemUnderTest();
  await page.goto(portalUrl.replace('localhost', '127.0.0.1').concat('/office/payments'));
  await expect(page.getByText('Open the console at')).toBeVisible();
  await expect(page.getByRole('link', { name: `${portalUrl}/office/` })).toBeVisible();
  await expectGood(page, 'elsewhere');
});
