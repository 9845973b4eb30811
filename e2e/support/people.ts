import { randomBytes } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { linkIn, readMail } from './mailbox.ts';
import { heading } from './screens.ts';
import { systemUnderTest } from './system.ts';

/** A person with an account, or without one yet. */
export type Person = { email: string; firstName: string; lastName: string; password: string };

/** A person that no other test knows, with an email address wider than a phone. */
export function newPerson(details: Partial<Person> = {}): Person {
  return {
    email: `rosa.magdalena.delgado.${randomBytes(6).toString('hex')}@example.com`,
    firstName: 'Rosa',
    lastName: 'Delgado',
    password: 'juniper lane in november',
    ...details,
  };
}

/** Makes one of the portal's public calls, as its screens do; `request` carries the test's own client address. */
export async function callPortal(request: APIRequestContext, path: string, data: unknown): Promise<void> {
  const { apiSecret } = systemUnderTest();
  const answer = await request.post(`/api${path}`, { data, headers: { 'x-apisecret': apiSecret } });
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${await answer.text()}`);
}

/** Makes an account whose email address isn't confirmed. */
export async function register(request: APIRequestContext, person: Person = newPerson()): Promise<Person> {
  await callPortal(request, '/user/register', { ...person, userType: 2 });
  return person;
}

/** Makes an account that can sign in. */
export async function makeAccount(request: APIRequestContext, person?: Person): Promise<Person> {
  const registered = await register(request, person);
  const link = new URL(await confirmationLink(registered));
  await callPortal(request, '/user/confirm', {
    email: link.searchParams.get('e'),
    token: link.searchParams.get('t'),
  });
  return registered;
}

export async function confirmationLink({ email }: Person): Promise<string> {
  return linkIn(await readMail({ to: email, subject: 'confirm your email' }), '/confirm');
}

/**
 * Signs in through the screen and waits for the invoices, until their heading has the focus: a key pressed earlier would
 * lose it to the heading.
 */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  await expect(heading(page)).toBeFocused();
}

/** Fills and sends the form of `/login`. The URL changes before the page does, which may have fields of the same name. */
export async function fillSignIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
