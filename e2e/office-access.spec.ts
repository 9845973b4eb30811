import type { Page } from '@playwright/test';
import { importInvoice } from './guest-payment-steps.ts';
import { makeCustomer } from './portal-steps.ts';
import { openConsole } from './support/console/console.ts';
import { Office } from './support/console/office.ts';
import {
  enrolStaff,
  forgetSession,
  inviteStaff,
  openScreen,
  type StaffMember,
} from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import { makeAccount, newPerson, type Person } from './support/people.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

async function enterPassword(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await openScreen(page, '/office/sign-in', 'Sign in to the office');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** With a recovery code: an app has no code for each of several windows within half a minute. */
async function signInByRecovery(page: Page, person: StaffMember): Promise<void> {
  await enterPassword(page, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByText('Each recovery code is good once.')).toBeVisible();
  await page.getByLabel('Recovery code').fill(person.recoveryCodes.pop() ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('navigation', { name: 'Office' })).toBeVisible();
}

test('sessions: one of them is ended, then all others, and this one goes on', async ({
  page,
  office,
  openWindow,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  const others = [await openWindow(), await openWindow(), await openWindow()];
  for (const other of others) await signInByRecovery(other, clerk);
  await openScreen(page, '/office/settings/account', 'Your account');
  const ends = page.getByRole('form', { name: /^The session of / });
  await expect(page.getByRole('heading', { name: 'Passkeys and apps' })).toBeVisible();
  await expect(page.getByText('This one')).toHaveCount(1);
  await expect(page.getByText(/^Since .+, last seen .+/)).toHaveCount(4);
  await expect(ends).toHaveCount(3);
  await ends.first().getByRole('button', { name: 'End', exact: true }).press('Enter');
  await expect(ends).toHaveCount(2);
  // The button went with its session.
  await expect(page.getByText('The session was ended.')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(ends).toHaveCount(0);
  await expect(page.getByText('All other sessions were ended.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'End all others' })).toBeHidden();
  for (const other of others) {
    await other.reload();
    await expect(heading(other)).toHaveText('Sign in to the office');
  }
  await page.reload();
  await expect(heading(page)).toHaveText('Your account');
});

test('a new password ends all sessions, this one too, and is what one signs in with', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  await openScreen(page, '/office/settings/account', 'Your account');
  await expect(page.getByText('A new password ends all sessions: you sign in again with it.')).toBeVisible();
  const password = 'four panes in a row';
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(confirm.getByText('Set a new password')).toBeVisible();
  await confirm.getByLabel('Code').fill(clerk.app.nextCode());
  await expect(heading(page)).toHaveText('Sign in to the office');
  await enterPassword(page, clerk);
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await signInByRecovery(page, { ...clerk, password });
});

test('a forgotten password: a link for who belongs to staff, and the same words for who does not', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  await forgetSession(page);
  await openScreen(page, '/office/sign-in', 'Sign in to the office');
  await page.getByRole('link', { name: 'Forgot password' }).click();
  await expect(heading(page)).toHaveText('Reset your password');
  for (const email of [newPerson().email, clerk.email]) {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('status')).toHaveText(
      'If this address belongs to staff, a link is on its way.',
    );
  }
  const mail = await readMail({ to: clerk.email, subject: 'Reset your password for the office' });
  const link = linkIn(mail, '/office/reset');
  const password = 'five panes in a row';
  await page.goto(link);
  await expect(page.getByText(`For ${clerk.email}`)).toBeVisible();
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(page)).toHaveText('Sign in to the office');
  await expect(page.getByText('Your password was set. Please sign in.')).toBeVisible();
  await signInByRecovery(page, { ...clerk, password });

  await forgetSession(page);
  await page.goto(link);
  await page.getByLabel('New password').fill('six panes in a row');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('alert')).toHaveText('This link is not valid any more. Ask for a new one.');
});

test('a reset link that worked without an answer leads to signing in once it is refused', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  await forgetSession(page);
  await openScreen(page, '/office/reset', 'Reset your password');
  await page.getByLabel('Email').fill(clerk.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  const mail = await readMail({ to: clerk.email, subject: 'Reset your password for the office' });
  await page.goto(linkIn(mail, '/office/reset'));
  const password = 'five panes in a row';
  await page.getByLabel('New password').fill(password);
  await page.route(
    '**/api/office/session/reset/confirm',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const button = page.getByRole('button', { name: 'Set password' });
  await button.click();
  await expect(page.getByRole('alert')).toContainText('We did not hear back.');
  await button.click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link is not valid any more. Ask for a new one. An earlier press may have worked: try to sign in.',
  );
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInByRecovery(page, { ...clerk, password });
});

test('who has lost every factor is mailed a link after the right password, and is not let in', async ({
  page,
  office,
}) => {
  await office.importInvoices({});
  const clerk = await enrolStaff(page, office);
  await forgetSession(page);
  await inDatabase((client) =>
    client.query(
      `UPDATE staff_factor SET removed_at = now()
        WHERE staff_id = (SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)`,
      [clerk.email],
    ),
  );
  await enterPassword(page, clerk);
  await expect(
    page.getByText('You have no second factor yet. We sent you a link: open it to add one.'),
  ).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
});

test('a link that is not whole, or was used, says so', async ({ page, office }) => {
  await office.importInvoices({});
  for (const path of ['/office/welcome', '/office/demo']) {
    await page.goto(path);
    await expect(page.getByText('This link is not complete.')).toBeVisible();
  }
  const { link } = await inviteStaff(office);
  // Opening it spends nothing: only what is done with it does.
  for (const _ of [1, 2]) await openScreen(page, link, 'Welcome to the office');
  await openScreen(page, `${link.slice(0, -4)}0000`, 'Welcome to the office');
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Your name and password');
  await page.getByLabel('First name').fill('Clara');
  await page.getByLabel('Last name').fill('Benson');
  await page.getByLabel('Password').fill('seven panes in a row');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toHaveText('This link is not valid any more. Ask for a new one.');
});

test('who works elsewhere, or is a customer, is not added to the staff: the dialog says why', async ({
  page,
  office,
  request,
  openWindow,
}) => {
  await office.importInvoices({});
  const elsewhere = new Office(systemUnderTest(), office.franchiseId + 500_000);
  await elsewhere.importInvoices({});
  const colleague = await inviteStaff(elsewhere);
  const owner = await enrolStaff(page, office, { role: 'owner' });
  await openScreen(page, '/office/settings/staff', 'Staff');
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add staff' });
  await dialog.getByLabel('Email').fill(colleague.email);
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('dialog', { name: 'Confirm it is you' }).getByLabel('Code').fill(owner.app.nextCode());
  await expect(
    dialog.getByText('This person works for another office. Ask headquarters to add yours.'),
  ).toBeVisible();
  await expect(dialog.getByLabel('Email')).toHaveValue(colleague.email);
  await expect(dialog.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');

  const customer = await makeAccount(request);
  const headquarters = await openWindow();
  await openConsole(headquarters);
  await openScreen(headquarters, '/office/settings/staff', 'Staff');
  await headquarters.getByRole('button', { name: 'Add staff' }).first().click();
  const adding = headquarters.getByRole('dialog', { name: 'Add staff' });
  await adding.getByLabel('Email').fill(customer.email);
  await adding.getByLabel('Role').selectOption('Support');
  await expect(adding.getByText('Sees all franchises.')).toBeVisible();
  await adding.getByRole('button', { name: 'Send the link' }).click();
  await headquarters.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(
    adding.getByText("This email address belongs to a customer's account. Use another one for the office."),
  ).toBeVisible();
});

test('what is done for a person of a customer: a reset, the account off and on, and the end of her access', async ({
  page,
  office,
  request,
  openWindow,
}) => {
  const invoice = await importInvoice(office);
  const person = await makeCustomer(request, { invoices: [invoice] });
  const path = `/office/customers/${office.franchiseId}/1`;
  await openConsole(page);
  await openScreen(page, path, 'Rosa Delgado');
  const entry = page.getByRole('listitem').filter({ hasText: person.email });
  await expect(entry).toContainText('By the three numbers · since');
  await expect(entry).toContainText('last signed in');
  await entry.locator('summary').click();
  await entry.getByRole('button', { name: 'Send password reset' }).click();
  await expect(entry.getByRole('status')).toHaveText(`The mail to ${person.email} is on its way.`);
  await readMail({ to: person.email, subject: 'password' });
  await entry.getByRole('button', { name: 'Switch account off' }).click();
  await expect(entry.getByText('The account was switched off.')).toBeVisible();
  await expect(entry).toContainText('· switched off');
  // Pressed at once where the other button stood, it would count as the echo of a double click.
  await page.reload();
  await entry.locator('summary').click();
  await entry.getByRole('button', { name: 'Switch account on' }).click();
  await expect(entry.getByText('The account was switched on.')).toBeVisible();
  await expect(entry).not.toContainText('· switched off');

  // An account may be another office's customer too: an office does not switch it off.
  const hers = await openWindow();
  await enrolStaff(hers, office, { role: 'owner' });
  await openScreen(hers, path, 'Rosa Delgado');
  const same = hers.getByRole('listitem').filter({ hasText: person.email });
  await same.locator('summary').click();
  await expect(same.getByRole('button', { name: 'Send password reset' })).toBeVisible();
  await expect(same.getByRole('button', { name: /Switch account/ })).toHaveCount(0);
  await same.getByRole('button', { name: 'End access' }).click();
  const dialog = hers.getByRole('dialog', { name: `End access of ${person.firstName} ${person.lastName}` });
  await expect(
    dialog.getByText(
      'Anyone with the three numbers of an invoice can still add its location. A new invitation restores everything.',
    ),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'End access' }).click();
  await expect(hers.getByText('Nobody sees these invoices yet.')).toBeVisible();
  await expect(
    hers.getByText(`The access of ${person.firstName} ${person.lastName} was ended.`),
  ).toBeVisible();
});

test('an invitation from a customer’s page is sent and withdrawn, each in words', async ({
  page,
  office,
}) => {
  await office.importInvoices({ customerName: 'Ada One' });
  await openConsole(page);
  await openScreen(page, `/office/customers/${office.franchiseId}/1`, 'Ada One');
  const invitations = page.getByRole('region', { name: 'Invitations' });
  await expect(invitations.getByText('Nobody was invited yet.')).toBeVisible();
  const { email } = newPerson();
  await invitations.getByLabel('Email').fill(email);
  await invitations.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(invitations.getByText(`The invitation to ${email} is on its way.`)).toBeVisible();
  await invitations.getByRole('button', { name: 'Withdraw' }).click();
  await expect(invitations.getByText(/^Withdrawn · first sent/)).toBeVisible();
  await expect(page.getByText(`The invitation to ${email} was withdrawn.`)).toBeVisible();
  await expect(heading(page)).toBeFocused();
});

test('somebody of the staff is switched off, hears so after the right password, and is switched on again', async ({
  page,
  office,
  openWindow,
}) => {
  await office.importInvoices({});
  const hers = await openWindow();
  const clerk = await enrolStaff(hers, office);
  await openConsole(page);
  await openScreen(page, `/office/settings/staff?franchiseId=${office.franchiseId}`, 'Staff');
  const row = page.locator('tbody').filter({ hasText: clerk.email });
  const switchTo = async (word: 'on' | 'off', says: string) => {
    await row.getByRole('button', { name: `Switch ${word} Clara Benson` }).click();
    const dialog = page.getByRole('dialog', { name: `Switch ${word} Clara Benson?` });
    await expect(dialog.getByText(says)).toBeVisible();
    await dialog.getByRole('button', { name: `Switch ${word}` }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
    await expect(confirm.getByText(`Switch ${word} Clara Benson`)).toBeVisible();
    await confirm.getByRole('button', { name: 'Confirm as the demo' }).click();
    await expect(dialog).toBeHidden();
  };
  await switchTo('off', 'All sessions of this person end now.');
  await enterPassword(hers, clerk);
  await expect(hers.getByRole('alert')).toHaveText(
    'Your access was switched off. Ask an owner or headquarters.',
  );
  await switchTo('on', 'This person may sign in again.');
  await signInByRecovery(hers, clerk);
});
