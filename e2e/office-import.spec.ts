import { readFile, utimes, writeFile } from 'node:fs/promises';
import { choose, fileOf } from './import-steps.ts';
import { openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { openScreen } from './support/console/staff.ts';
import { expect, test } from './support/test.ts';

test('a file is checked, imported and found in the history', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import invoices' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await expectGood(page, 'import');

  // The file is sent, and the answer hasn't arrived.
  const gate = Promise.withResolvers<void>();
  await page.route('**/import/preview?*', async (route) => {
    const answer = await route.fetch();
    await gate.promise;
    await route.fulfill({ response: answer });
  });
  const changed = { ...row, amount: 308.25, paidElsewhere: 400 };
  const created = { ...row, workOrderNumber: row.workOrderNumber + 1, timeZone: 'America/Denver' };
  await choose(page, fileOf([{ ...changed, timeZone: 'America/Denver' }, created], 'monday.csv'));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expectGood(page, 'import-checking');
  gate.resolve();
  await expect(page.getByRole('heading', { name: 'What changes' })).toBeVisible();
  await expect(page.getByText('monday.csv: 1 created, 1 updated, 0 unchanged.')).toBeFocused();
  await expect(page.getByText('Days in all reports move.')).toBeVisible();
  await expect(page.getByText(`Work order ${row.workOrderNumber} by $91.75`)).toBeVisible();
  await page.getByText('The 2 largest changes, field by field').click();
  await expectGood(page, 'import-checked');

  await page.getByRole('button', { name: 'Import 2 invoices' }).click();
  await expect(page.getByText('Imported monday.csv: 1 created, 1 updated, 0 unchanged.')).toBeVisible();
  await expectGood(page, 'import-done');
  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row').filter({ hasText: 'monday.csv' }).first()).toContainText('Imported');
});

test('a file with faults names them line by line, and nothing of it is imported', async ({
  page,
  office,
}) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  const name = `faulty-${office.franchiseId}.csv`;
  await choose(page, fileOf([row, { ...row, amount: -5 }, { ...row, dueDate: 'soon' }], name));
  await expect(page.getByText('Nothing can be imported: 2 lines are wrong.')).toBeVisible();
  const faults = page.getByRole('table', { name: 'Faults' });
  await expect(faults.getByRole('row').nth(1)).toContainText('amount');
  await expect(faults.getByRole('row').nth(2)).toContainText('must be a date such as 2026-11-30');
  await expectGood(page, 'import-faults');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the faults' }).click();
  expect((await readFile(await (await download).path())).toString()).toContain('line,column,value,rule');

  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row').filter({ hasText: name }).first()).toContainText('Refused');
  await page.getByText(`Details of ${name}`).click();
  const details = page.getByRole('group').filter({ has: page.getByText(`Details of ${name}`) });
  await expect(details.getByText('Nothing can be imported: 2 lines are wrong.')).toBeVisible();
  await expect(details.getByText('must be a date such as 2026-11-30')).toBeVisible();

  // On a phone they are cards, so that nothing scrolls sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('group', { name: 'Line 3' }).first()).toContainText('amount');
});

test('an import is undone: its undo file is downloaded, checked and imported like any file', async ({
  page,
  office,
}) => {
  const [row] = await office.importInvoices({ amount: 208.25 });
  await openConsole(page);
  await page.goto(`/office/import?franchiseId=${office.franchiseId}`);
  const created = { ...row, workOrderNumber: row.workOrderNumber + 1 };
  await choose(page, fileOf([{ ...row, amount: 20.25 }, created], 'too-low.csv'));
  await page.getByRole('button', { name: 'Import 2 invoices' }).click();
  await expect(page.getByText('Imported too-low.csv: 1 created, 1 updated, 0 unchanged.')).toBeVisible();

  await page.getByText('Details of too-low.csv').click();
  const details = page.getByRole('group').filter({ has: page.getByText('Details of too-low.csv') });
  await expect(details.getByText('The undo file brings back 2 invoices as before.')).toBeVisible();
  // Open details stay open when the window is resized.
  await expectGood(page, 'import-details');
  await expect(details.getByText('Payments made meanwhile stay and may become overpayments.')).toBeVisible();
  const download = page.waitForEvent('download');
  await details.getByRole('button', { name: 'Download the undo file' }).click();
  await page.getByRole('button', { name: 'Confirm as the demo' }).click();
  const undo = await readFile(await (await download).path());
  await expectGood(page, 'import-undo');

  await choose(page, { name: 'undo.csv', mimeType: 'text/csv', buffer: undo });
  await page.getByRole('button', { name: 'Import 2 invoices' }).click();
  await expect(page.getByText('Imported undo.csv: 0 created, 2 updated, 0 unchanged.')).toBeVisible();
  await page.goto(`/office/invoices?franchiseId=${office.franchiseId}`);
  const invoices = page.getByRole('table', { name: 'Invoices' });
  await expect(invoices.getByRole('row', { name: String(row.workOrderNumber) })).toContainText('$208.25');
  await expect(invoices.getByRole('row', { name: String(created.workOrderNumber) })).toContainText(
    'Nothing due',
  );
});

test('a file that was saved since it was chosen is chosen again', async ({
  page,
  office,
  consoleGuard,
}, info) => {
  consoleGuard.allow(/ERR_UPLOAD_FILE_CHANGED|409/);
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  const path = info.outputPath('saved-again.csv');
  const save = async (amount: number, savedAt: Date) => {
    await writeFile(path, fileOf([{ ...row, amount }]).buffer);
    await utimes(path, savedAt, savedAt);
  };
  const morning = new Date('2026-11-20T15:00:00Z');
  const send = page.getByRole('button', { name: 'Import 1 invoice' });
  await save(20.25, morning);
  await choose(page, path);
  await expect(send).toBeVisible();
  // The browser can't see that it was saved, and the server does.
  await save(30.25, morning);
  await send.click();
  await expect(page.getByRole('alert')).toHaveText('This is not the file that was checked.');
  await choose(page, path);
  await expect(send).toBeVisible();
  await save(40.25, new Date('2026-11-20T16:00:00Z'));
  await send.click();
  await expect(page.getByRole('alert')).toHaveText(
    'This file has changed since it was chosen. Choose it again.',
  );
  await choose(page, path);
  await send.click();
  await expect(page.getByText('Imported saved-again.csv: 0 created, 1 updated')).toBeVisible();
});

test('times follow an import that moves the office to another zone', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await openScreen(page, `/office/payments?franchiseId=${office.franchiseId}`, 'Payments');
  await expect(page.getByText('Times: Chicago')).toBeVisible();
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await choose(page, fileOf([{ ...row, timeZone: 'America/Denver' }], 'moved.csv'));
  await page.getByRole('button', { name: /^Import / }).click();
  await expect(page.getByText('Imported moved.csv')).toBeVisible();
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(page.getByText('Times: Denver')).toBeVisible();
});

test('rows that are counted after the answer leave the answer on the screen', async ({ page, office }) => {
  // A disk that delivers the file's end only when the test allows it.
  await page.addInitScript(() => {
    const stream = Blob.prototype.stream;
    const gate = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    Blob.prototype.stream = function (this: Blob) {
      return stream.call(this).pipeThrough(
        new TransformStream({
          async flush() {
            await gate.promise;
            ended.resolve();
          },
        }),
      );
    };
    Object.assign(window, {
      giveEnd: async () => {
        gate.resolve();
        await ended.promise;
      },
    });
  });
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  await choose(page, fileOf([row], 'slow-disk.csv'));
  const result = page.getByText('slow-disk.csv: 0 created, 0 updated, 1 unchanged.');
  await expect(result).toBeVisible();
  await page.evaluate(async () => {
    await (window as unknown as { giveEnd(): Promise<void> }).giveEnd();
    // The effects are rendered by the second frame.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });
  await expect(result).toBeVisible();
  await expect(page.getByRole('progressbar')).toBeHidden();
});

test('with the keyboard alone a file is chosen, checked and imported', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(fileOf([{ ...row, amount: 118.25 }]));
  const button = page.getByRole('button', { name: 'Import 1 invoice' });
  await expect(button).toBeVisible();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('0 created, 1 updated, 0 unchanged.').first()).toBeFocused();
});
