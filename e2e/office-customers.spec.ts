import { expectAccessible } from './support/accessibility.ts';
import { expectToldWhere, openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { openScreen } from './support/console/staff.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const PHONE = { width: 390, height: 844 };

test('an invoice is found by what it is, opened, shown as a code, and noted', async ({ page, office }) => {
  const [overdue] = await office.importInvoices(
    { dueDate: '2020-01-15', customerName: 'Rosa Delgado', addressLine1: '12 Juniper Lane' },
    { customerNumber: 2, customerName: 'Quentin Marsh', locationId: 2 },
    { customerNumber: 2, customerName: 'Quentin Marsh', locationId: 2, paidElsewhere: 120 },
  );
  await openConsole(page);
  await page.goto(`/office/invoices?franchiseId=${office.franchiseId}`);
  const rows = page.getByRole('table', { name: 'Invoices' }).getByRole('rowheader');
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('row', { name: /Overpaid/ })).toHaveCount(1);
  await expectGood(page, 'invoices');

  await page.getByLabel('Status').selectOption('Overdue');
  await expect(rows).toHaveText([String(overdue.workOrderNumber)]);
  await page.getByLabel('Search').fill(`wo ${overdue.workOrderNumber} about 108`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('about $108.00')).toBeVisible();
  await rows.getByRole('link').click();
  await expect(heading(page)).toHaveText(`Work order ${overdue.workOrderNumber}`);
  await expect(page.getByRole('link', { name: 'Open PDF' })).toHaveAttribute('href', /^\/api\/documents\//);
  const picture = page.getByRole('img', { name: `The invoice of work order ${overdue.workOrderNumber}` });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectGood(page, 'work-order');

  await page.getByRole('button', { name: 'Show QR code' }).click();
  const dialog = page.getByRole('dialog', { name: 'QR code' });
  await expect(dialog.getByText(`workOrderNumber=${overdue.workOrderNumber}`)).toBeVisible();
  await expectGood(page, 'qr-code');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByLabel('Note', { exact: true }).fill('Asked for a copy.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toContainText([
    'Asked for a copy.',
  ]);
});

test('customers are invited from the list, and what an invitation opens is withdrawn again', async ({
  page,
  office,
}) => {
  await office.importInvoices(
    { customerNumber: 1, locationId: 1, customerName: 'Ada One', customerEmail: 'ada.one@example.com' },
    { customerNumber: 2, locationId: 2, customerName: 'Bea Two', customerEmail: 'bea.two@example.com' },
    { customerNumber: 3, locationId: 3, customerName: 'Cid Three' },
  );
  await openConsole(page);
  await page.goto(`/office/customers?franchiseId=${office.franchiseId}`);
  const rows = page.getByRole('table', { name: 'Customers' }).getByRole('rowheader');
  await expect(rows).toHaveText(['Ada One', 'Bea Two', 'Cid Three']);
  await expectGood(page, 'customers');
  for (const name of ['Ada One', 'Bea Two', 'Cid Three']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  const bar = page.getByRole('region', { name: 'Invite selected' });
  await expect(bar.getByRole('status')).toHaveText('3 selected, 1 without an email');
  await bar.getByRole('button', { name: 'Invite selected' }).click();
  await expect(bar.getByRole('listitem')).toHaveText([
    'Ada One: Invited at ada.one@example.com.',
    'Bea Two: Invited at bea.two@example.com.',
  ]);
  await expect(page.getByRole('checkbox', { name: 'Select Cid Three' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Select Ada One' })).not.toBeChecked();
  await expect(page.getByRole('row', { name: /Ada One.*Invited/ })).toBeVisible();
  await expectGood(page, 'customers-invited');

  await page.getByRole('link', { name: 'Ada One' }).click();
  await expect(heading(page)).toHaveText('Ada One');
  const invitations = page.getByRole('region', { name: 'Invitations' });
  await expect(invitations.getByText(/^Pending/)).toBeVisible();
  await invitations.getByRole('button', { name: 'Withdraw' }).click();
  await expect(invitations.getByText(/^Withdrawn/)).toBeVisible();
  await invitations.getByRole('button', { name: 'Send again' }).click();
  await expect(invitations.getByText(/^Pending/)).toBeVisible();
  await expectGood(page, 'customer');

  await page.getByLabel('From').fill('2026-11-01');
  await page.getByLabel('To').fill('2026-11-30');
  await page.getByRole('button', { name: 'Open statement' }).click();
  await expect(heading(page)).toHaveText('Statement of Ada One');
  await expect(page.getByRole('row', { name: /Closing balance/ })).toContainText('$108.25');
  await expectGood(page, 'statement');
});

test('days of a statement in the wrong order are refused at the form, and can be mended there', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Ada One' });
  await openConsole(page);
  await page.goto(`/office/customers/${office.franchiseId}/1`);
  const [from, to] = [page.getByLabel('From'), page.getByLabel('To')];
  const open = page.getByRole('button', { name: 'Open statement' });
  const rows = page.getByRole('table', { name: 'Statement' });
  await from.fill('2026-11-30');
  await to.fill('2026-11-01');
  await open.click();
  await expect(heading(page)).toHaveText('Statement');
  await expect(from).toHaveAccessibleDescription('From must not be after To.');
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0);
  await expectGood(page, 'statement-refused');

  await from.fill('2026-11-01');
  await to.fill('2026-11-30');
  await open.click();
  await expect(heading(page)).toHaveText('Statement of Ada One');
  await expect(rows.getByRole('row', { name: /Closing balance/ })).toContainText('$108.25');

  // The rows stay while other days are refused.
  await from.fill('1999-12-31');
  await open.click();
  await expect(from).toHaveAccessibleDescription('Please enter a date such as 2026-11-30.');
  await expect(rows.getByRole('row', { name: /Closing balance/ })).toContainText('$108.25');
  await expect(page.getByText('Nov 1, 2026 to Nov 30, 2026')).toBeVisible();
  await expectGood(page, 'statement-other-days-refused');

  await page.goBack();
  await expect(from).toHaveValue('2026-11-01');
  await expect(page.getByText('Please enter a date such as 2026-11-30.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to the customer' }).click();
  await expect(heading(page)).toHaveText('Ada One');
});

test('by keyboard alone: a customer is found and opened, and a note is written', async ({ page, office }) => {
  await office.importInvoices({ customerName: 'Keyboard Kline' });
  await openConsole(page);
  await page.goto(`/office/customers?franchiseId=${office.franchiseId}`);
  await expect(page.getByRole('rowheader')).toHaveText(['Keyboard Kline']);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search')).toBeFocused();
  await page.keyboard.type('"today" $1 $2');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Use one amount.')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText(['Keyboard Kline']);
  await page.getByLabel('Search').fill('');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Use one amount.')).toHaveCount(0);
  await page.getByLabel('Search').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Keyboard Kline');
  await expectToldWhere(page);
  // It moves the focus alone: the history entry keeps its state.
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await expect(page).toHaveURL(/customers\/\d+\/\d+[^#]*$/);
  await page.getByLabel('Note', { exact: true }).focus();
  await page.keyboard.type('By keys.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toContainText(['By keys.']);
});

test('on a phone: a card leads to the invoice, whose main act stays at the foot', async ({
  page,
  office,
}) => {
  const [invoice] = await office.importInvoices({});
  await page.setViewportSize(PHONE);
  await openConsole(page);
  await page.goto(`/office/invoices?franchiseId=${office.franchiseId}`);
  await page
    .getByRole('group', { name: String(invoice.workOrderNumber) })
    .getByRole('link')
    .click();
  await expect(heading(page)).toHaveText(`Work order ${invoice.workOrderNumber}`);
  await expect(page.getByRole('link', { name: 'Open PDF' })).toBeInViewport();
  await page.getByRole('link', { name: 'Rosa Delgado' }).click();
  await expect(heading(page)).toHaveText('Rosa Delgado');
  await expectAccessible(page);
});

test('what is ticked or unticked while invitations are sent stays so, and nobody unticked is invited', async ({
  page,
  office,
}) => {
  const names = ['Ada One', 'Bea Two', 'Cid Three', 'Dot Four'];
  await office.importInvoices(
    ...names.map((customerName, index) => ({
      customerNumber: index + 1,
      locationId: index + 1,
      customerName,
      customerEmail: `${customerName.replace(' ', '.').toLowerCase()}@example.com`,
    })),
  );
  await openConsole(page);
  await page.goto(`/office/customers?franchiseId=${office.franchiseId}`);
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  for (const name of ['Ada One', 'Bea Two', 'Cid Three']) await tick(name).check();

  const isUnticked = Promise.withResolvers<void>();
  await page.route(
    '**/customers/*/1/invitations',
    async (route) => {
      await isUnticked.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const bar = page.getByRole('region', { name: 'Invite selected' });
  await bar.getByRole('button', { name: 'Invite selected' }).click();
  await expect(bar.getByRole('status')).toHaveText('1 of 3');
  await tick('Bea Two').uncheck();
  await tick('Dot Four').check();
  isUnticked.resolve();

  await expect(bar.getByRole('listitem')).toHaveText([
    'Ada One: Invited at ada.one@example.com.',
    'Cid Three: Invited at cid.three@example.com.',
  ]);
  await expect(bar.getByRole('status')).toHaveText('2 of 2 invited. 1 selected');
  await expect(page.getByRole('row', { name: /Bea Two.*No account/ })).toBeVisible();
  await expect(tick('Bea Two')).not.toBeChecked();
  await expect(tick('Dot Four')).toBeChecked();
});

test('ticked customers stay ticked while one is opened, and are invited at the address that the list shows', async ({
  page,
  office,
}) => {
  const [ada, bea] = await office.importInvoices(
    { customerNumber: 1, locationId: 1, customerName: 'Ada One', customerEmail: 'ada.wrong@example.com' },
    { customerNumber: 2, locationId: 2, customerName: 'Bea Two' },
  );
  await openConsole(page);
  await openScreen(page, `/office/customers?franchiseId=${office.franchiseId}`, 'Customers');
  for (const name of ['Ada One', 'Bea Two']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  const bar = page.getByRole('region', { name: 'Invite selected' });
  await expect(bar.getByRole('status')).toHaveText('2 selected, 1 without an email');

  await office.importInvoices(
    { ...ada, customerEmail: 'ada.right@example.com' },
    { ...bea, customerEmail: 'bea.two@example.com' },
  );
  await page.getByRole('link', { name: 'Ada One' }).click();
  await expect(heading(page)).toHaveText('Ada One');
  await page.goBack();
  await expect(page.getByRole('row', { name: /ada.right@example.com/ })).toBeVisible();
  await expect(bar.getByRole('status')).toHaveText('2 selected');

  // By a link the list begins anew: forgotten ticks would be invited, too.
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(heading(page)).toHaveText('Payments');
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'Select Ada One' })).not.toBeChecked();
  await expect(bar).toHaveCount(0);
  for (const name of ['Ada One', 'Bea Two']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  await bar.getByRole('button', { name: 'Invite selected' }).click();
  await expect(bar.getByRole('listitem')).toHaveText([
    'Ada One: Invited at ada.right@example.com.',
    'Bea Two: Invited at bea.two@example.com.',
  ]);
});
