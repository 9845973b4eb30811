import { expectAccessible } from './support/accessibility.ts';
import type { Office } from './support/console/office.ts';
import { linkIn, mailsTo, readMail } from './support/mailbox.ts';
import { fillSignIn, makeAccount, newPerson, type Person, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const DETAILS = 'Please check your details and try again.';
const EXPIRED = 'Your invite has expired. Please contact your local office.';
const WRONG = 'Something went wrong. Please try again.';

/** The office invites this address to one of its customers; waits for the mail. */
async function invite(office: Office, { email }: Person, customerNumber = 1): Promise<void> {
  const { franchiseId } = office;
  await office.send('POST', '/office/invitations', { franchiseId, customerNumber, email });
}

async function invitationLink({ email }: Person): Promise<string> {
  return linkIn(await readMail({ to: email, subject: 'invites you' }), '/invitation');
}

test('an invited person makes an account from the mail and signs in, with the keyboard alone', async ({
  page,
  office,
}) => {
  const person = newPerson();
  await office.importInvoices({});
  await invite(office, person);
  await page.goto(await invitationLink(person));
  await expect(page).toHaveURL('/invitation');
  await expect(page).toHaveTitle('Accept Invite');
  await expect(page.getByLabel('Email')).toBeDisabled();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  // A password manager takes the account's name from an enabled field only.
  await expect(page.locator('form [autocomplete="username"]:enabled')).toHaveValue(person.email);
  await expectFits(page, 'accept-invite');
  await expectAccessible(page);

  await page.reload();
  await page.getByLabel('First name').focus();
  await page.keyboard.type(person.firstName);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.lastName);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText(
    'Thanks for accepting the invite! You can now log in with your new account.',
  );
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
});

test('a refused acceptance shows errors under their fields, and the link still works', async ({
  page,
  office,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const person = newPerson();
  await office.importInvoices({});
  await invite(office, person);
  const link = await invitationLink(person);
  await page.goto(link);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill('seven77');
  const accept = page.getByRole('button', { name: 'Accept Invite' });
  await accept.click();
  await expect(page.getByRole('alert')).toHaveText(DETAILS);
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
    /Please use at least 8 characters\.$/,
  );
  await expect(page.getByLabel('First name')).toHaveValue(person.firstName);
  await expectFits(page, 'accept-invite-refused');
  await expectAccessible(page);

  await page.getByLabel('Password').fill(person.password);
  await context.setOffline(true);
  await accept.click();
  await expect(page.getByRole('alert')).toHaveText(WRONG);
  await context.setOffline(false);
  await accept.click();
  await expect(page).toHaveURL('/login');

  await page.goto(link);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await accept.click();
  await expect(page.getByRole('alert')).toHaveText(EXPIRED);
});

test('who is signed in with another address is told how to use the link', async ({
  page,
  request,
  office,
}) => {
  const [signedIn, invited] = [await makeAccount(request), newPerson()];
  await office.importInvoices({});
  await invite(office, invited);
  const link = await invitationLink(invited);
  await signIn(page, signedIn);
  await page.goto(link);
  await expect(page).toHaveURL('/invoices');
  const notice = page.getByText(
    `You are signed in as ${signedIn.email}. To use the link that was sent to ${invited.email}, log out and open it again from the mail.`,
  );
  await expect(notice).toBeVisible();
  await expectFits(page, 'refused-link');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(heading(page)).toHaveText('Account');
  await expect(notice).toHaveCount(0);

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await page.goto(link);
  await expect(page.getByLabel('Email')).toHaveValue(invited.email);
});

test('an account made since the mail is reported under the email', async ({ page, request, office }) => {
  const person = newPerson();
  await office.importInvoices({});
  await invite(office, person);
  const link = await invitationLink(person);
  await makeAccount(request, person);
  await page.goto(link);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Accept Invite' }).click();
  await expect(page.getByRole('alert')).toHaveText(DETAILS);
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/is an account with this email/);
});

test('who has an account accepts in the portal', async ({ page, request, office }) => {
  const person = await makeAccount(request);
  const [invoice] = await office.importInvoices({ customerName: 'Maison Élan & Söhne' });
  await invite(office, person, invoice.customerNumber);
  const mail = await readMail({ to: person.email, subject: 'invites you' });
  expect(mail.text).not.toContain('/invitation?');
  expect(await mailsTo(person.email)).toHaveLength(2);

  await signIn(page, person);
  const banner = page.getByRole('region', { name: 'Invitation' });
  await expect(banner).toContainText('Maison Élan & Söhne');
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'Accept Invite' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Invite accepted' })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('an invitation that the office withdraws under its banner is not said to be accepted', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 404|Unable to accept invite/);
  const person = await makeAccount(request);
  const [{ customerNumber }] = await office.importInvoices({});
  const { franchiseId } = office;
  const path = `/office/customers/${franchiseId}/${customerNumber}/invitations`;
  const { invitationId } = (await office.send('POST', path, { email: person.email })) as {
    invitationId: string;
  };
  await signIn(page, person);
  const accept = page.getByRole('button', { name: 'Accept Invite' });
  await expect(accept).toBeVisible();
  await office.send('DELETE', `${path}/${invitationId}`);
  await accept.click();
  await expect(heading(page)).toHaveText('Oops, an unexpected error has occurred.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page)).toHaveText('Welcome');
  await expect(accept).toHaveCount(0);
});

test('accepting in the portal without a connection ends on the error page', async ({
  page,
  request,
  office,
  context,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|Unable to accept invite/);
  const person = await makeAccount(request);
  await office.importInvoices({});
  await invite(office, person);
  await signIn(page, person);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Accept Invite' }).click();
  await expect(heading(page)).toHaveText('Oops, an unexpected error has occurred.');
});

for (const query of ['', '?e=rosa%40example.com', '?t=abc']) {
  test(`/invitation${query} is an invalid invitation link`, async ({ page }) => {
    await page.goto(`/invitation${query}`);
    await expect(page.getByRole('alert')).toHaveText('Invalid invitation link');
    await expect(heading(page)).toHaveText('Accept Invite');
    await expect(page.getByRole('button', { name: 'Accept Invite' })).toHaveCount(0);
    await expect(page).toHaveURL('/invitation');
  });
}
