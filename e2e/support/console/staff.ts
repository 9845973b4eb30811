import { expect, type Page } from '@playwright/test';
import type { Role } from '../../../packages/contract/src/office-rights.ts';
import { inDatabase } from '../database.ts';
import { newPerson, type Person } from '../people.ts';
import { systemUnderTest } from '../system.ts';
import { type AuthenticatorApp, authenticatorApp } from './authenticator-app.ts';
import type { Office } from './office.ts';

/** Who works at an office: somebody with a password, and an app on her phone. */
export type StaffMember = Person & { app: AuthenticatorApp; recoveryCodes: string[] };

/** Adds somebody to the staff by the operator's key. Answers the address that the mail leads to. */
export async function inviteStaff(
  office: Office,
  { person = newPerson({ firstName: 'Clara', lastName: 'Benson' }), role = 'clerk' as Role } = {},
): Promise<Person & { link: string }> {
  const added = await office.send('POST', '/office/staff', {
    email: person.email,
    role,
    franchiseIds: [office.franchiseId],
  });
  const { pathname, search } = new URL((added as { link: string }).link);
  return { ...person, link: pathname + search };
}

/** Enrols somebody of this office with an app, and signs her in on `page`: what the screens of the welcome do. */
export async function enrolStaff(
  page: Page,
  office: Office,
  options: Parameters<typeof inviteStaff>[1] = {},
): Promise<StaffMember> {
  const { link, ...person } = await inviteStaff(office, options);
  const { email, firstName, lastName, password } = person;
  const token = new URL(link, systemUnderTest().portalUrl).searchParams.get('t');
  await post(page, '/office/welcome', { email, token, firstName, lastName, password });
  const { factorId, secret } = await post(page, '/office/factors/totp', {});
  const app = authenticatorApp(secret);
  const confirmed = { factorId, code: app.nextCode(), name: 'Phone' };
  const { recoveryCodes } = await post(page, '/office/factors/totp/confirm', confirmed);
  return { ...person, app, recoveryCodes };
}

/** Opens a screen of who is signed in. */
export async function openScreen(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

/** Thirty minutes go by in which she does nothing. */
export async function leaveIdle({ email }: Person): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `UPDATE office_session SET seen_at = seen_at - interval '31 minutes'
        WHERE staff_id = (SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)`,
      [email],
    ),
  );
}

/** Twelve hours go by since she signed in. */
export async function endSessions({ email }: Person): Promise<void> {
  await inDatabase((client) =>
    client.query(
      `UPDATE office_session SET expires_at = now() - interval '1 minute'
        WHERE staff_id = (SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)`,
      [email],
    ),
  );
}

type Posted = { factorId: string; secret: string; recoveryCodes: string[] };

/** A call as the console makes it, with the cookies of this window. */
async function post(page: Page, path: string, data: object): Promise<Posted> {
  const { portalUrl } = systemUnderTest();
  const answer = await page.request.post(`/api${path}`, {
    data,
    headers: { origin: portalUrl, 'x-office': '1' },
  });
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}
