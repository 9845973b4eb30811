import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choose, fileOf } from './import-steps.ts';
import { letEchoesPass } from './press-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { endSessions, enrolStaff, leaveIdle, openScreen, removeFactors } from './support/console/staff.ts';
import { newPerson } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NOT_HEARD = 'We did not hear back. Press again: nothing is done twice.';

const notes = (page: Page) => page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
const note = (page: Page) => page.getByLabel('Note', { exact: true });

test('half an hour away with something typed: one code later it is sent, once; by keyboard alone', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  const clerk = await enrolStaff(page, office);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  await note(page).focus();
  await page.keyboard.type('She will pay on Friday.');
  await leaveIdle(page, clerk);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Still there?' });
  await expect(dialog.getByText('You were away for a while. Please confirm that it is you.')).toBeVisible();
  await expectGood(page, 'still-there');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expect(note(page)).toHaveValue('She will pay on Friday.');
  await expect(dialog.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(clerk.app.nextCode());
  await expect(dialog).toBeHidden();
  await expect(notes(page)).toHaveCount(1);
  await expect(notes(page)).toContainText(['She will pay on Friday.']);
});

test('twelve hours later with something typed: signed in over the screen, it is sent, once', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  const clerk = await enrolStaff(page, office);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  await note(page).fill('She moved in May.');
  await endSessions(page, clerk);
  await page.getByRole('button', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible();
  await expectGood(page, 'sign-in-again');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password').fill('not her password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Wrong email or password.');
  await dialog.getByLabel('Password').fill(clerk.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(dialog).toBeHidden();
  await expect(notes(page)).toHaveCount(1);
  await expect(notes(page)).toContainText(['She moved in May.']);
  await page.reload();
  await expect(notes(page)).toHaveCount(1);
});

test('twelve hours later without a factor any more: a link is sent, over the screen', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  const clerk = await enrolStaff(page, office);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Rosa Delgado');
  await note(page).fill('She has a new phone.');
  await removeFactors(clerk);
  await endSessions(page, clerk);
  await page.getByRole('button', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(clerk.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(
    dialog.getByText('You have no second factor yet. We sent you a link: open it to add one.'),
  ).toBeVisible();
  await expect(dialog.getByLabel('Recovery code')).toHaveCount(0);
  await expect(note(page)).toHaveValue('She has a new phone.');
});

test('half an hour away before a statement is downloaded: one code later the file comes', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  const owner = await enrolStaff(page, office, { role: 'owner' });
  const path = `/office/customers/${office.franchiseId}/1/statement?from=2026-11-01&to=2026-11-30`;
  await openScreen(page, path, 'Statement of Rosa Delgado');
  await leaveIdle(page, owner);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Still there?' });
  const download = page.waitForEvent('download');
  await dialog.getByLabel('Code').fill(owner.app.nextCode());
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^statement-\d+-1-2026-11-01-to-2026-11-30-.*\.csv$/);
  expect((await readFile(await file.path())).toString()).toContain('108.25');

  // The eleventh within the hour is refused, and says so.
  for (let count = 1; count < 10; count++) {
    const answer = await page.request.get(`/api${path.replace('/statement?', '/statement.csv?')}`);
    expect(answer.status()).toBe(200);
  }
  await letEchoesPass(page);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByText(/^Too many tries\. Wait .+, then try again\.$/)).toBeFocused();
});

test('twelve hours later in a dialog: it stays as it was typed, and its act goes on with a second factor', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const owner = await enrolStaff(page, office, { role: 'owner' });
  await openScreen(page, '/office/settings/staff', 'Staff');
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add staff' });
  const { email } = newPerson();
  await adding.getByLabel('Email').fill(email);
  await endSessions(page, owner);
  await adding.getByRole('button', { name: 'Send the link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog.getByLabel('Recovery code').fill(owner.recoveryCodes[0] ?? '');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toBeHidden();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(adding.getByLabel('Email')).toHaveValue(email);
  await confirm.getByLabel('Code').fill(owner.app.nextCode());
  await expect(adding).toBeHidden();
  await expect(page.getByRole('rowheader', { name: email })).toBeVisible();
});

test('twelve hours later with nothing typed: to the sign-in, and on to the screen that was asked for', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  await openScreen(page, '/office/payments', 'Payments');
  await endSessions(page, clerk);
  await page.getByRole('link', { name: 'Customers' }).click();
  await expect(heading(page)).toHaveText('Sign in to the office');
  await page.getByLabel('Email').fill(clerk.email);
  await page.getByLabel('Password').fill(clerk.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(heading(page)).toHaveText('Customers');
});

test('a screen that was kept does not act as the next person who signed in there', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Rosa Delgado' });
  await enrolStaff(page, office);
  const path = `/office/customers/${office.franchiseId}/1`;
  await openScreen(page, path, 'Rosa Delgado');
  await expect(page.getByRole('button', { name: 'Clara Benson' })).toBeVisible();
  await note(page).fill('Clara wrote this.');
  // As in another tab: the screen hears nothing of it.
  await enrolStaff(page, office, { person: newPerson({ firstName: 'Ada', lastName: 'Next' }) });
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('button', { name: 'Ada Next' })).toBeVisible();
  await openScreen(page, path, 'Rosa Delgado');
  await expect(notes(page)).toHaveCount(0);
  await expect(note(page)).toHaveValue('');
});

test('a file that was chosen is not sent as the next person who signed in there', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  await enrolStaff(page, office, { role: 'owner' });
  await openScreen(page, '/office/import', 'Import invoices');
  const next = { person: newPerson({ firstName: 'Ada', lastName: 'Next' }), role: 'owner' } as const;
  await enrolStaff(page, office, next);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from('workOrderNumber\n1\n') });
  await expect(page.getByRole('button', { name: 'Ada Next' })).toBeVisible();
  await openScreen(page, '/office/import', 'Import invoices');
  // History is read after the heading is there. It names files that were sent.
  await expect(page.getByRole('table', { name: 'History' })).toBeVisible();
  await expect(page.getByText('file.csv')).toHaveCount(0);
});

/** What the browser itself asks, such as whether to leave; without this, the page leaves at once. */
function questionsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  return asked;
}

test('an import goes on while the next person signs in, and its screen is left unasked when it is over', async ({
  page,
  office,
}) => {
  const [row] = await office.importInvoices({});
  await enrolStaff(page, office, { role: 'owner' });
  await openScreen(page, '/office/import', 'Import invoices');
  const asked = questionsOf(page);
  await choose(page, fileOf([{ ...row, workOrderNumber: row.workOrderNumber + 1 }]));
  const answer = Promise.withResolvers<void>();
  await page.route('**/office/import?*', async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Import 1 invoice' }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await enrolStaff(page, office, {
    person: newPerson({ firstName: 'Ada', lastName: 'Next' }),
    role: 'owner',
  });
  const refused = () => page.waitForResponse((response) => response.status() === 401);
  await refused();
  await refused();
  await expect(page.getByRole('progressbar')).toBeVisible();
  answer.resolve();
  await expect(page.getByRole('button', { name: 'Ada Next' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('invitations are not sent on as the next person who signed in there, and the screen is left unasked', async ({
  page,
  office,
}) => {
  await office.importInvoices(
    { customerNumber: 1, locationId: 1, customerName: 'Ada One', customerEmail: 'ada.one@example.com' },
    { customerNumber: 2, locationId: 2, customerName: 'Bea Two', customerEmail: 'bea.two@example.com' },
  );
  await enrolStaff(page, office);
  await openScreen(page, `/office/customers?franchiseId=${office.franchiseId}`, 'Customers');
  const asked = questionsOf(page);
  const answer = Promise.withResolvers<void>();
  await page.route(
    '**/customers/*/*/invitations',
    async (route) => {
      const response = await route.fetch();
      await answer.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  for (const name of ['Ada One', 'Bea Two']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  const bar = page.getByRole('region', { name: 'Invite selected' });
  const first = page.waitForRequest('**/customers/*/*/invitations');
  await bar.getByRole('button', { name: 'Invite selected' }).click();
  await first;
  await expect(bar.getByRole('status')).toHaveText('1 of 2');
  await enrolStaff(page, office, { person: newPerson({ firstName: 'Ada', lastName: 'Next' }) });
  answer.resolve();
  await expect(page.getByRole('button', { name: 'Ada Next' })).toBeVisible();
  expect(asked).toEqual([]);
  await openScreen(page, `/office/customers?franchiseId=${office.franchiseId}`, 'Customers');
  await expect(page.getByRole('row', { name: /Bea Two.*No account/ })).toBeVisible();
});

test('an answer that is lost: what was typed stays, and pressing again does nothing twice', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const [invoice] = await office.importInvoices({});
  await openConsole(page);
  const title = `Work order ${invoice.workOrderNumber}`;
  await openScreen(page, `/office/invoices/${office.franchiseId}/${invoice.workOrderNumber}`, title);
  await page.route(
    '**/notes',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await note(page).fill('The gate code is 7.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('alert')).toHaveText(NOT_HEARD);
  await expect(note(page)).toHaveValue('The gate code is 7.');
  await expectGood(page, 'not-heard');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The note was added.' })).toBeVisible();
  await page.reload();
  await expect(notes(page)).toHaveCount(1);
});

test('a dialog keeps what was typed when a phone is rotated or an answer is lost', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  await office.importInvoices({});
  await openConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await openScreen(page, `/office/payments?franchiseId=${office.franchiseId}`, 'Payments');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('At least').fill('1');
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(page.getByLabel('At least')).toHaveValue('1');

  await page.setViewportSize({ width: 390, height: 844 });
  await openScreen(page, '/office/settings/staff', 'Staff');
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add staff' });
  await dialog.getByLabel('Email').fill('typed@example.com');
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(dialog.getByLabel('Email')).toHaveValue('typed@example.com');
  await page.route('**/api/office/staff', (route) => route.abort(), { times: 1 });
  await dialog.getByLabel('Role').selectOption('Clerk');
  await dialog.getByLabel(`${office.franchiseId} Clearwater Windows`).check();
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(NOT_HEARD);
  await expect(dialog.getByLabel('Email')).toHaveValue('typed@example.com');
});

test('a list keeps its rows while it loads and if that fails, says so, and can be retried', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  await office.importInvoices({ customerName: 'Ada One' }, { customerName: 'Ada One', workOrderNumber: 77 });
  await openConsole(page);
  await openScreen(page, `/office/invoices?franchiseId=${office.franchiseId}`, 'Invoices');
  const rows = page.getByRole('table', { name: 'Invoices' }).getByRole('rowheader');
  await expect(rows).toHaveCount(2);
  const answer = Promise.withResolvers<void>();
  await page.route(
    '**/api/office/invoices?*',
    async (route) => await answer.promise.then(() => route.abort()),
    {
      times: 1,
    },
  );
  await page.getByLabel('Search').fill('wo 77');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Loading…')).toBeVisible();
  await expectGood(page, 'list-busy');
  answer.resolve();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expectGood(page, 'list-failed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows).toHaveText(['77']);

  await page.route('**/api/office/invoices/*/77', (route) => route.abort(), { times: 1 });
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(heading(page)).toHaveText('This screen could not be opened');
  await expectGood(page, 'screen-failed');
});
