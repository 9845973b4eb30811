import type { Page } from '@playwright/test';
import { importInvoice } from './guest-payment-steps.ts';
import { payByCall } from './portal-steps.ts';
import { startAnotherPortal } from './support/another-portal.ts';
import { openConsole } from './support/console/console.ts';
import { type InvoiceRow, Office } from './support/console/office.ts';
import { enrolStaff, openScreen, type StaffMember } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

// An attacker gets a clerk's password, her unlocked browser, her franchise's key, and finally a script in payers' pages.
test.describe.configure({ timeout: 150_000 });

async function signInAs(page: Page, { email, password }: StaffMember): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(heading(page)).toHaveText('Second factor');
}

/** Another office's paid invoice, which nobody in this office may find. */
async function otherOffice(own: Office): Promise<{ franchiseId: number; invoice: InvoiceRow }> {
  const other = new Office(systemUnderTest(), own.franchiseId + 500_000);
  const invoice = await importInvoice(other, { customerName: 'Olga Elsewhere', workOrderNumber: 777_001 });
  return { franchiseId: other.franchiseId, invoice };
}

async function paymentOf(franchiseId: number): Promise<string> {
  const { rows } = await inDatabase((client) =>
    client.query<{ id: string }>('SELECT intent_id AS id FROM payment_share WHERE franchise_id = $1', [
      franchiseId,
    ]),
  );
  return rows[0]?.id ?? '';
}

/** A person's acts in the audit log. */
async function actsOf({ email }: { email: string }): Promise<string[]> {
  const { rows } = await inDatabase((client) =>
    client.query<{ action: string }>('SELECT action FROM audit_event WHERE actor = $1 ORDER BY id', [email]),
  );
  return rows.map(({ action }) => action);
}

test('a clerk’s password opens nothing, and her unlocked browser no more than she may; each try is on record', async ({
  page,
  office,
  openWindow,
  request,
}) => {
  await importInvoice(office);
  const other = await otherOffice(office);
  await payByCall(request, other.invoice);
  const paid = await paymentOf(other.franchiseId);
  const desk = await openWindow();
  const clerk = await enrolStaff(desk, office);

  // With the password alone: there is no second factor.
  await page.goto('/office/payments');
  await signInAs(page, clerk);
  await page.getByLabel('Code').fill(clerk.app.wrongCodes()[0] ?? '');
  await expect(page.getByText('This code is not right.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('ABCD-EFGH-JKMN-PQRS');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.goto('/office/payments');
  await expect(heading(page)).toHaveText('Sign in to the office');

  // At her desk: no keys, no staff, no higher role, and nothing of another office under any URL.
  for (const path of ['settings/api-keys', 'settings/staff', 'settings/franchise', 'audit', 'review'])
    await openScreen(desk, `/office/${path}`, 'You cannot see this');
  const { franchiseId, invoice } = other;
  for (const path of [
    `invoices/${franchiseId}/${invoice.workOrderNumber}`,
    `customers/${franchiseId}/${invoice.customerNumber}`,
    `payments/${paid}`,
  ])
    await openScreen(desk, `/office/${path}`, 'Page not found');
  for (const list of ['payments', 'invoices', 'customers']) {
    await desk.goto(`/office/${list}?search=elsewhere`);
    await expect(desk.getByText('Nothing matches.')).toBeVisible();
  }

  // No factor of the attacker's own: adding one requires one of hers.
  await openScreen(desk, '/office/settings/account', 'Your account');
  await desk.getByRole('button', { name: 'Make new codes' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
  const confirm = desk.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm).toBeVisible();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(desk.getByText('Please confirm with your second factor.')).toBeVisible();

  // No export without a factor; guessing at it ends the session.
  const downloads: string[] = [];
  desk.on('download', (download) => downloads.push(download.suggestedFilename()));
  expect((await desk.request.get('/api/office/payments.csv')).status()).toBe(403);
  await openScreen(desk, '/office/invoices', 'Invoices');
  await desk.getByRole('button', { name: 'Export CSV' }).click();
  for (const code of clerk.app.wrongCodes().slice(0, 5)) {
    const judged = desk.waitForResponse('**/step-up/totp');
    await confirm.getByLabel('Code').fill(code);
    expect((await judged).status()).toBe(400);
    await expect(confirm.getByText('This code is not right.')).toBeVisible();
  }
  await desk.goto('/office/payments');
  await expect(heading(desk)).toHaveText('Sign in to the office');
  expect(downloads).toEqual([]);

  // Each refused factor is in the audit log, where headquarters see it.
  expect((await actsOf(clerk)).filter((action) => action === 'refuse-factor')).toHaveLength(7);
  await openConsole(page);
  await page.goto(`/office/audit?who=${encodeURIComponent(clerk.email)}`);
  await expect(page.getByRole('row').filter({ hasText: clerk.email }).first()).toBeVisible();
});

test('a franchise’s key, once it has leaked, shows nothing beyond its office and is worth nothing when revoked', async ({
  page,
  office,
  request,
}) => {
  const own = await importInvoice(office);
  const other = await otherOffice(office);
  await openConsole(page);
  await openScreen(page, '/office/settings/api-keys', 'API keys');
  const name = `Leaked ${office.franchiseId}`;
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Franchise').selectOption(String(office.franchiseId));
  for (const right of ['View', 'Invite', 'Import', 'Export', 'Refund'])
    await dialog.getByLabel(right).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Confirm as the demo' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const key = await shown.locator('code').textContent();
  await shown.getByRole('button', { name: 'Done' }).click();

  const headers = { authorization: `Bearer ${key}` };
  const read = (path: string) => request.get(`/api/office/${path}`, { headers });
  expect((await read(`invoices/${own.franchiseId}/${own.workOrderNumber}`)).status()).toBe(200);
  for (const path of [
    `invoices/${other.franchiseId}/${other.invoice.workOrderNumber}`,
    `customers/${other.franchiseId}/${other.invoice.customerNumber}`,
  ])
    expect([path, (await read(path)).status()]).toEqual([path, 404]);
  for (const list of ['payments', 'invoices', 'customers']) {
    const { items } = await (await read(`${list}?franchiseId=${other.franchiseId}`)).json();
    expect([list, items]).toEqual([list, []]);
  }
  for (const path of ['staff', 'api-keys', 'audit', 'review', 'status'])
    expect([path, (await read(path)).status()]).toEqual([path, 403]);

  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(page.getByRole('rowheader', { name: `${name} Revoked` })).toBeVisible();
  expect((await read('payments')).status()).toBe(401);
});

test('a script in the payers’ pages reaches nothing of a console on an origin of its own', async ({
  browser,
  page,
  office,
  openWindow,
  consoleGuard,
}) => {
  const [invoice] = await office.importInvoices({});
  const portal = await startAnotherPortal(({ port }) => ({
    OFFICE_URL: `http://office.localhost:${port}`,
  }));
  const console = portal.url.replace('localhost', 'office.localhost');
  consoleGuard.allow(/Content Security Policy|CORS policy|ERR_FAILED|ERR_BLOCKED|Failed to load resource/);
  // As if the content policy of the payers' pages had allowed the script and its calls.
  const context = await browser.newContext({ bypassCSP: true });
  try {
    const clerk = await enrolStaff(await openWindow(), office);
    const desk = await context.newPage();
    await desk.goto(`${console}/office/customers`);
    await signInAs(desk, clerk);
    await desk.getByLabel('Code').fill(clerk.app.nextCode());
    await expect(heading(desk)).toHaveText('Customers');

    const payers = await context.newPage();
    // On the console's own origin, a payers' page would have its cookies.
    await payers.goto(`${console}/`);
    await expect(payers).toHaveURL(`${portal.url}/`);
    const note = `/api/office/invoices/${office.franchiseId}/${invoice.workOrderNumber}/notes`;
    const tried = await payers.evaluate(
      async ([origin, path]) => {
        const outcome = (asked: Promise<Response>) =>
          asked.then(
            ({ status, type }) => `${type} ${status}`,
            () => 'refused by the browser',
          );
        const text = JSON.stringify({ text: 'Written by a script.' });
        return {
          cookies: document.cookie,
          read: await outcome(fetch(`${origin}/api/office/me`, { credentials: 'include' })),
          write: await outcome(
            fetch(`${origin}${path}`, {
              method: 'POST',
              credentials: 'include',
              headers: { 'content-type': 'application/json', 'x-office': '1' },
              body: text,
            }),
          ),
          // Sent without a preflight; the page can't read the answer.
          blind: await outcome(
            fetch(`${origin}${path}`, {
              method: 'POST',
              mode: 'no-cors',
              credentials: 'include',
              body: text,
            }),
          ),
          atHome: await outcome(fetch('/api/office/me')),
          page: await outcome(fetch('/office/payments', { redirect: 'manual' })),
          framed: await new Promise<string>((resolve) => {
            const frame = document.createElement('iframe');
            frame.src = `${origin}/office/payments`;
            frame.onload = () => {
              try {
                resolve(
                  frame.contentDocument === null
                    ? 'unreadable'
                    : (frame.contentDocument.body.innerText ?? ''),
                );
              } catch {
                resolve('unreadable');
              }
            };
            document.body.append(frame);
          }),
        };
      },
      [console, note] as const,
    );
    expect(tried).toEqual({
      cookies: '',
      read: 'refused by the browser',
      write: 'refused by the browser',
      blind: 'refused by the browser',
      atHome: 'basic 401',
      page: 'opaqueredirect 0',
      framed: 'unreadable',
    });
    const { rows } = await inDatabase((client) =>
      client.query('SELECT FROM office_note WHERE franchise_id = $1', [office.franchiseId]),
    );
    expect(rows).toEqual([]);
    // She works on undisturbed, and the payers' content policy blocks such calls anyway.
    await desk.reload();
    await expect(heading(desk)).toHaveText('Customers');
    await page.goto(`${portal.url}/`);
    const blocked = await page.evaluate(async (origin) => {
      const violated = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective)),
      );
      await fetch(`${origin}/api/office/me`, { mode: 'no-cors', credentials: 'include' }).catch(() => null);
      return violated;
    }, console);
    expect(blocked).toBe('connect-src');
  } finally {
    await context.close();
    await portal.stop();
  }
});
