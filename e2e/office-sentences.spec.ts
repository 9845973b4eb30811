import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { holdPayment, importInvoice } from './guest-payment-steps.ts';
import { payByCall } from './portal-steps.ts';
import { payCollected } from './refund-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { enrolStaff, forgetSession, openScreen } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

const DECLINED = '4000300611112224';

/** More than a page looks at, and one act that is older than all of them. */
async function actLongAgo({ franchiseId }: Office): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `INSERT INTO audit_event (actor, action, subject, franchise_id, at)
       SELECT 'robin@example.com', 'noise', 'noise', $1::integer, timestamptz '2026-02-01T18:00:00Z' + n * interval '1 second'
         FROM generate_series(1, 5000) AS n
       UNION ALL SELECT 'robin@example.com', 'long ago', 'the vault', $1::integer, timestamptz '2026-01-05T12:00:00Z'`,
      [franchiseId],
    ),
  );
}

test('a list that has looked at enough rows says how far it came, and looks further when asked', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await actLongAgo(office);
  await openConsole(page);
  await openScreen(page, `/office/audit?franchiseId=${office.franchiseId}&what=long`, 'Audit');
  await expect(page.getByText('Times: Chicago (America/Chicago)')).toBeVisible();
  await expect(page.getByText('Searched back to Feb 1, 2026.')).toBeVisible();
  await page.getByRole('link', { name: 'Search further back' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'the vault' })).toBeVisible();
  await expect(page.getByText(/^Searched back to/)).toBeHidden();

  const download = page.waitForEvent('download');
  // A double click asks once, even before the question's script has come.
  await page.getByRole('button', { name: 'Export CSV' }).dblclick();
  await page.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const begun = page.getByText(
    'The export has begun. Your browser says when the file is whole, or that it failed.',
  );
  await expect(begun).toBeFocused();
  expect((await download).suggestedFilename()).toMatch(/^audit-/);

  // The next one is told again.
  const next = page.waitForEvent('download');
  const confirm = page.getByRole('button', { name: 'Confirm as the demo' });
  await expect(async () => {
    // A press within half a second counts as an echo of the last one.
    await page.getByRole('button', { name: 'Export CSV' }).press('Enter');
    await expect(confirm).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await confirm.click();
  await next;
  await expect(begun).toBeFocused();
});

test('a name of many customers is asked for more of, and what was read of a search is taken out again', async ({
  page,
  office,
}) => {
  const rows = Array.from({ length: 1_001 }, (_, index) => ({
    customerNumber: index + 1,
    locationId: index + 1,
    customerName: `Ottilie Number${index + 1}`,
  }));
  await office.importInvoices(...rows);
  await openConsole(page);
  const found = page.getByRole('table', { name: 'Invoices' }).getByRole('rowheader');
  // Names are found some seconds after an import.
  await expect(async () => {
    await page.goto(`/office/invoices?franchiseId=${office.franchiseId}&search=ottilie+about+108`);
    await expect(found).toHaveCount(50, { timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('Many customers match. Type more of the name.')).toBeVisible();
  // The cross of 28 pixels is hit within 40, and within 44 by a finger.
  await page.getByRole('link', { name: 'Remove about $108.00' }).click({ position: { x: 14, y: -5 } });
  await expect(page.getByLabel('Search')).toHaveValue('ottilie');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(page.getByText('Too many customers match for a file. Type more of the name.')).toBeFocused();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByLabel('Search').fill('ottilie number1001');
  await page.keyboard.press('Enter');
  await expect(found).toHaveCount(1);
  await expect(page.getByText('Many customers match.')).toBeHidden();
});

test('a new office that nobody has done anything for yet', async ({ page, office }) => {
  await inDatabase((client) =>
    client.query(
      `INSERT INTO franchise (id, name, time_zone) VALUES ($1, 'New Windows', 'America/Chicago')`,
      [office.franchiseId],
    ),
  );
  await openConsole(page);
  for (const [screen, title, words] of [
    ['audit', 'Audit', 'Nothing was done by hand yet.'],
    ['refunds', 'Refunds', 'No refunds yet.'],
  ] as const) {
    await openScreen(page, `/office/${screen}?franchiseId=${office.franchiseId}`, title);
    await expect(page.getByText(words)).toBeVisible();
  }
});

test('a review with nothing in it says so, part by part, and offers to compare', async ({ page }) => {
  // Other journeys leave charges here: these answers are the portal's own, but for their rows.
  for (const [path, empty] of [
    ['**/api/office/review', []],
    ['**/api/office/found-payments', []],
    ['**/api/office/refunds?*', { items: [], next: null }],
    ['**/api/office/differences*', { items: [], next: null, lastComparison: null }],
  ] as const) {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: empty });
    });
  }
  await openConsole(page);
  await openScreen(page, '/office/review', 'Review');
  for (const words of [
    'No charge needs a person.',
    'Our books have every payment that was compared.',
    'No refund waits for a decision.',
    'No differences.',
    'Nothing was compared yet.',
  ]) {
    await expect(page.getByText(words)).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Compare now' }).first()).toBeVisible();
});

test('payments: what is under way, what was declined before, and what is copied', async ({
  page,
  office,
  request,
}) => {
  const invoice = await importInvoice(office);
  await payByCall(request, invoice, { card: DECLINED });
  await payByCall(request, invoice, {
    additionalServiceAmount: -10,
    additionalServicesNote: 'One pane less.',
  });
  await page.addInitScript(() => {
    const copied: string[] = [];
    Object.assign(window, { copied });
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        async writeText(text: string) {
          if (copied.length > 0) throw new Error('not allowed');
          copied.push(text);
        },
      },
    });
  });
  await enrolStaff(page, office, { role: 'viewer' });
  await openScreen(page, '/office/payments', 'Payments');
  await page.getByLabel('State').selectOption('Paid');
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(heading(page)).toHaveText(/^Payment of/);
  await expect(page.getByText('Nobody has looked at the credit yet.')).toBeVisible();
  await expect(page.getByText('Additional services: One pane less.')).toBeVisible();
  await expect(page.getByText('No notes yet.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Card and provider' })).toContainText('The portal’s');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { copied: string[] }).copied)).toEqual([page.url()]);
  await page.getByRole('button', { name: 'Copy order id' }).click();
  await expect(
    page.getByText('Your browser did not let us copy. Select the text and copy it.'),
  ).toBeVisible();

  const others = page.getByRole('region', { name: 'Other payments of these work orders' });
  await expect(others.getByRole('listitem')).toContainText('Declined');
  await others.getByRole('link').click();
  await expect(page.getByText(/^Declined: .+ Your card was not charged\.$/)).toBeVisible();

  const next = await importInvoice(office);
  const held = await holdPayment(next);
  const paying = payByCall(request, next);
  await held.claimed();
  await openScreen(page, '/office/payments', 'Payments');
  await expect(page.getByText('1 payment is under way.')).toBeVisible();
  await held.goOn();
  await paying;
});

test('a work order’s history says what each import changed, and leads to it', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  const path = `/office/invoices/${office.franchiseId}/${row.workOrderNumber}`;
  await enrolStaff(page, office);
  await openScreen(page, path, `Work order ${row.workOrderNumber}`);
  const history = page.getByRole('region', { name: 'History' });
  await expect(
    history.getByText('No payment, and no change by an import in the last 90 days.'),
  ).toBeVisible();
  await office.importInvoices({ ...row, amount: 208.25, city: 'Round Rock' });
  await page.reload();
  await expect(history.getByText('Amount: $108.25 → $208.25')).toBeVisible();
  await expect(history.getByText('City: Austin → Round Rock')).toBeVisible();
  await expect(history.getByText('Changes by imports are shown for 90 days.')).toBeVisible();
  await history.getByRole('link', { name: 'Open the import' }).click();
  await expect(heading(page)).toHaveText('Import invoices');
  const details = page.getByRole('group').filter({ has: page.getByText('Details of this import') });
  await expect(details.getByText('The undo file brings back 1 invoice as before.')).toBeVisible();
});

test('a file can be given up while it is checked, and another one chosen after it was', async ({
  page,
  office,
}) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await openScreen(page, '/office/import', 'Import invoices');
  const choose = async (name: string, changed: Partial<InvoiceRow>) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const buffer = Buffer.from(JSON.stringify({ rows: [{ ...row, ...changed }] }));
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer });
  };
  const gate = Promise.withResolvers<void>();
  await page.route(
    '**/import/preview?*',
    async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    },
    { times: 1 },
  );
  await choose('given-up.json', {});
  await expect(page.getByRole('progressbar', { name: 'Checking' })).toBeVisible();
  // A link away asks first, and so does the browser before it closes the tab.
  await page.getByRole('link', { name: 'Payments' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave this screen?' });
  await expect(leaving).toContainText('nothing has changed so far');
  await expectGood(page, 'import-leave');
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await expect(leaving).toHaveCount(0);
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => window.setTimeout(() => window.location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(page.getByRole('progressbar', { name: 'Checking' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  gate.resolve();
  await expect(page.getByRole('progressbar')).toBeHidden();

  await choose('renamed.json', { franchiseName: 'Clearer Windows' });
  await expect(page.getByText('The name changes from Clearwater Windows to Clearer Windows.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await expect(page.getByText('The name changes')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  // Nothing is on its way any more.
  await page.getByRole('link', { name: 'Payments' }).click();
  await expect(heading(page)).toHaveText('Payments');
});

test('headquarters set what an office may give back alone, and read who else sets name and zone', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  await openScreen(
    page,
    `/office/settings/franchise?franchiseId=${office.franchiseId}`,
    `Franchise ${office.franchiseId}`,
  );
  await expect(
    page.getByText("The office's file sets name and time zone too, with each import."),
  ).toBeVisible();
  const limits = page.getByRole('form', { name: 'Refund limits' });
  await limits.getByLabel('Refunds of one payment').fill('50.505');
  await limits.getByRole('button', { name: 'Save the refund limits' }).click();
  await expect(limits.getByLabel('Refunds of one payment')).toHaveAttribute('aria-invalid', 'true');
  await limits.getByLabel('Refunds of one payment').fill('50.50');
  await limits.getByLabel('Refunds on one day').fill('75');
  await limits.getByRole('button', { name: 'Save the refund limits' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('Change the refund limits of Clearwater Windows')).toBeVisible();
  await confirm.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(limits.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(limits.getByLabel('Refunds of one payment')).toHaveValue('50.50');
  await expect(limits.getByLabel('Refunds on one day')).toHaveValue('75.00');
});

test('merchant keys that work are replaced, and all franchises are chosen again at the top', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await openConsole(page);
  await openScreen(
    page,
    `/office/settings/merchant-account?franchiseId=${office.franchiseId}`,
    'Merchant account',
  );
  const merchants = await fetch(`${systemUnderTest().emulatorUrl}/_emulator/merchants`);
  const [keys] = (
    (await merchants.json()) as Record<'name' | 'apiKey' | 'pin' | 'publicKey', string>[]
  ).filter(({ name }) => name === 'west');
  await page.getByLabel('API key').fill(keys?.apiKey ?? '');
  await page.getByLabel('PIN').fill(keys?.pin ?? '');
  await page.getByLabel('Public key').fill(keys?.publicKey ?? '');
  await expect(
    page.getByText('The test asks the provider for one listing and moves no money.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Replace keys' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('Replace the keys of Clearwater Windows')).toBeVisible();
  await confirm.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(page.getByText('The keys were replaced.')).toBeVisible();
  await expect(page.getByText('Its own')).toBeVisible();

  await page.getByLabel('Franchise').selectOption('All franchises');
  await expect(page.getByText('Choose it at the top.')).toBeVisible();
});

/** Asks for a refund of the office's only payment, as its program does. */
async function requestByKey(office: Office, tip: number): Promise<void> {
  const { items } = (await office.send('GET', `/office/payments?franchiseId=${office.franchiseId}`)) as {
    items: { paymentId: string; franchiseId: number; workOrders: number[] }[];
  };
  const [paid] = items;
  if (!paid) throw new Error('nothing was paid');
  const lines = [{ franchiseId: paid.franchiseId, workOrderNumber: paid.workOrders[0], tip }];
  await office.send(
    'POST',
    `/office/payments/${paid.paymentId}/refunds`,
    { reason: 'tip-mistake', lines },
    { 'idempotency-key': randomUUID() },
  );
}

test('the list of refunds says what is new, and shows it when it is asked to', async ({
  page,
  office,
  request,
}) => {
  await payCollected(request, office, { tip: 5 });
  await requestByKey(office, 1);
  await openConsole(page);
  await page.clock.install();
  await openScreen(page, `/office/refunds?franchiseId=${office.franchiseId}`, 'Refunds');
  const rows = page.getByRole('table', { name: 'Refunds' }).getByRole('rowheader');
  await expect(rows).toHaveCount(1);
  await requestByKey(office, 2);
  await page.clock.fastForward(15_000);
  const button = page.getByRole('button', { name: 'Show 1 new' });
  await expect(button).toBeVisible();
  await expect(rows).toHaveCount(1);
  await button.click();
  await expect(rows).toHaveCount(2);
  await expect(button).toBeHidden();
});

test('what is too long or no address stays as it was typed, with our sentence under it', async ({
  page,
  request,
  office,
}) => {
  const ADDRESS = 'Please enter a valid email address.';
  const long = (characters: number) => 'x'.repeat(characters + 1);
  const [invoice] = await office.importInvoices({ customerName: 'Rosa Delgado' });
  await payByCall(request, invoice);
  await openConsole(page);

  /** Expects the field to keep what was typed, and to say what is wrong with it. */
  async function expectRefused(field: Locator, typed: string, words: string): Promise<void> {
    await expect(field).toHaveAccessibleDescription(new RegExp(words));
    await expect(field).toHaveValue(typed);
    await expect(field).toBeFocused();
  }

  await test.step('a customer’s note and invitation', async () => {
    await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
    const note = page.getByLabel('Note', { exact: true });
    await note.fill(long(1000));
    await page.getByRole('button', { name: 'Add note' }).click();
    await expectRefused(note, long(1000), 'Please shorten your note to 1000 characters.');
    const invite = page.getByRole('form', { name: 'Invite' });
    await invite.getByLabel('Email').fill('rosa at example');
    await invite.getByRole('button', { name: 'Invite' }).click();
    await expectRefused(invite.getByLabel('Email'), 'rosa at example', ADDRESS);
    await expectGood(page, 'fields-refused');
  });

  await test.step('a receipt’s address and a refund’s note', async () => {
    await page.goto(`/office/payments?franchiseId=${office.franchiseId}`);
    await page.getByRole('rowheader').getByRole('link').click();
    await page.getByRole('button', { name: 'Send receipt' }).click();
    const receipt = page.getByRole('dialog', { name: 'Send receipt' });
    await receipt.getByLabel('Email').fill('rosa@');
    await receipt.getByRole('button', { name: 'Send receipt' }).click();
    await expectRefused(receipt.getByLabel('Email'), 'rosa@', ADDRESS);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const refund = page.getByRole('dialog', { name: 'Refund' });
    await refund.getByLabel('Reason').selectOption({ index: 1 });
    await refund.getByLabel('Credited').check();
    await refund.getByLabel('Note').fill(long(1000));
    await refund.getByRole('button', { name: /^Refund \$/ }).click();
    await expectRefused(
      refund.getByLabel('Note'),
      long(1000),
      'Please shorten your note to 1000 characters.',
    );
  });

  await test.step('a franchise’s settings', async () => {
    const title = `Franchise ${office.franchiseId}`;
    await openScreen(page, `/office/settings/franchise?franchiseId=${office.franchiseId}`, title);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill(long(200));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectRefused(name, long(200), 'Please shorten your name to 200 characters.');
    const credit = page.getByLabel('Largest credit');
    for (const typed of ['a lot', '101', '12.5', '-1']) {
      await credit.fill(typed);
      await page.getByRole('button', { name: 'Save the largest credit' }).click();
      await expectRefused(credit, typed, 'Please enter a whole percentage from 0 to 100.');
    }
  });

  await test.step('the name of a key', async () => {
    await openScreen(page, '/office/settings/api-keys', 'API keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill(long(60));
    await dialog.getByLabel(/^View/).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expectRefused(dialog.getByLabel('Name'), long(60), 'Please shorten your name to 60 characters.');
  });
});

test('a code that is not six digits stays as it was typed, with our sentence under it', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const { email, password } = await enrolStaff(page, office);
  await forgetSession(page);
  await openScreen(page, '/office/sign-in', 'Sign in to the office');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const code = page.getByLabel('Code', { exact: true });
  for (const typed of ['12-34-5', '1234 5678', 'ABCD-EFGH-JKMN-PQRS']) {
    await code.fill(typed);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(code).toHaveAccessibleDescription(/Please enter the six digits that your app shows\./);
    await expect(code).toHaveValue(typed);
  }
});
