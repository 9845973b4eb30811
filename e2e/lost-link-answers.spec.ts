import type { APIRequestContext, Page } from '@playwright/test';
import { callAs, makeCustomer } from './portal-steps.ts';
import type { Office } from './support/console/office.ts';
import { linkIn, readMail } from './support/mailbox.ts';
import {
  callPortal,
  confirmationLink,
  fillSignIn,
  makeAccount,
  newPerson,
  type Person,
  register,
} from './support/people.ts';
import { expectFits } from './support/screens.ts';
import { expect, test } from './support/test.ts';

type Opened = { page: Page; request: APIRequestContext; office: Office };

const NEW_PASSWORD = 'a better one than before';

async function openConfirmation({ page, request }: Opened): Promise<Person> {
  const person = await register(request);
  await page.goto(await confirmationLink(person));
  return person;
}

async function openReset({ page, request }: Opened): Promise<Person> {
  const { email, ...person } = await makeAccount(request);
  await callPortal(request, `/user/resetpassword?email=${encodeURIComponent(email)}`, undefined);
  await page.goto(linkIn(await readMail({ to: email, subject: 'Reset your password' }), '/resetpassword'));
  await page.getByLabel('New Password').fill(NEW_PASSWORD);
  return { ...person, email, password: NEW_PASSWORD };
}

async function openInvitation({ page, office }: Opened): Promise<Person> {
  const person = newPerson();
  const { email, firstName, lastName, password } = person;
  const [{ franchiseId, customerNumber }] = await office.importInvoices({});
  await office.send('POST', '/office/invitations', { franchiseId, customerNumber, email });
  await page.goto(linkIn(await readMail({ to: email, subject: 'invites you' }), '/invitation'));
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill(lastName);
  await page.getByLabel('Password').fill(password);
  return person;
}

async function openUndo({ page, request }: Opened): Promise<Person> {
  const customer = await makeCustomer(request);
  const { email } = newPerson();
  await callAs(request, customer, 'POST', '/user/email', { email, password: customer.password });
  const mail = await readMail({ to: customer.email, subject: 'is about to change' });
  await page.goto(linkIn(mail, '/mail/undo'));
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  return { ...customer, password: NEW_PASSWORD };
}

const signInLink = (page: Page) => page.getByRole('link', { name: /Sign in$/ }).click();

for (const { name, open, press, call, refusal, goToSignIn = signInLink } of [
  {
    name: 'a confirmation',
    open: openConfirmation,
    press: 'Confirm my email',
    call: 'user/confirm',
    refusal: 'Unable to confirm your email address. Please try again or contact customer support for help.',
  },
  {
    name: 'a reset',
    open: openReset,
    press: 'Reset password',
    call: 'user/confirmresetpassword',
    refusal: 'Something went wrong. Please try again.',
  },
  {
    name: 'an invitation',
    open: openInvitation,
    press: 'Accept Invite',
    call: 'user/acceptinvite',
    refusal: 'Your invite has expired. Please contact your local office.',
  },
  {
    name: 'an undo',
    open: openUndo,
    press: 'Undo and sign out everywhere',
    call: 'authentication/email/undo',
    refusal: 'This link is not valid any more. If you did not make this change, contact your local office.',
    goToSignIn: async (page: Page) => {
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click();
    },
  },
]) {
  test(`${name} link that worked without an answer leads to signing in once it is refused`, async ({
    page,
    request,
    office,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_FAILED/);
    const person = await open({ page, request, office });
    const button = page.getByRole('button', { name: press });
    await page.route(
      `**/api/${call}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await button.click();
    await expect(page.getByRole('alert')).not.toContainText('may have worked');
    await expect(button).toBeEnabled();
    await button.click();
    await expect(page.getByRole('alert')).toHaveText(
      `${refusal} An earlier press may have worked: try to sign in.`,
    );
    await expectFits(page, `lost-answer-${call.replaceAll('/', '-')}`);
    await goToSignIn(page);
    await fillSignIn(page, person);
    await expect(page).toHaveURL('/invoices');
  });
}
