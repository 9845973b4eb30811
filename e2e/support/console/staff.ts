import { expect, type Page } from '@playwright/test';
import type { Role } from '../../../packages/contract/src/office-rights.ts';
import { inDatabase } from '../database.ts';
import { newPerson, type Person } from '../people.ts';
import { heading } from '../screens.ts';
import { systemUnderTest } from '../system.ts';
import { type AuthenticatorApp, authenticatorApp } from './authenticator-app.ts';
import type { Office } from './office.ts';

/** A person at an office, with a password and an authenticator app. */
export type StaffMember = Person & { app: AuthenticatorApp; recoveryCodes: string[] };

type Invited = {
  person?: Person;
  role?: Role;
  /** Further offices of this person. */
  also?: Office[];
};

/** Adds a person to the staff with the operator's key. Returns the link in the mail. */
export async function inviteStaff(
  office: Office,
  { person = newPerson({ firstName: 'Clara', lastName: 'Benson' }), role = 'clerk', also = [] }: Invited = {},
): Promise<Person & { link: string }> {
  const added = await office.send('POST', '/office/staff', {
    email: person.email,
    role,
    franchiseIds: [office, ...also].map(({ franchiseId }) => franchiseId),
  });
  const { pathname, search } = new URL((added as { link: string }).link);
  return { ...person, link: pathname + search };
}

/** Enrolls a person with an app and signs them in on `page`, as the welcome screens do. */
export async function enrolStaff(page: Page, office: Office, options: Invited = {}): Promise<StaffMember> {
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

/** Leaves the console, and forgets whose it was. A call still on its way would lead to the sign-in, over the next screen. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Opens a screen of the signed-in person. */
export async function openScreen(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(heading(page)).toHaveText(title);
}

/** Makes this person's session idle for thirty minutes. */
export async function leaveIdle(page: Page, { email }: Person): Promise<void> {
  await hearAll(page);
  await inDatabase((client) =>
    client.query(
      `UPDATE office_session SET seen_at = seen_at - interval '31 minutes'
        WHERE staff_id = (SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)`,
      [email],
    ),
  );
}

/** Makes twelve hours pass since this person signed in. */
export async function endSessions(page: Page, { email }: Person): Promise<void> {
  await hearAll(page);
  await inDatabase((client) =>
    client.query(
      `UPDATE office_session SET expires_at = now() - interval '1 minute'
        WHERE staff_id = (SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)`,
      [email],
    ),
  );
}

/** As an owner does with **Reset factors**, without its mail. */
export async function removeFactors({ email }: Person): Promise<void> {
  const OWN = '(SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1)';
  await inDatabase(async (client) => {
    await client.query(`UPDATE staff_factor SET removed_at = now() WHERE staff_id = ${OWN}`, [email]);
    await client.query(`DELETE FROM staff_recovery_code WHERE staff_id = ${OWN}`, [email]);
  });
}

/** Waits for all that the page has asked for: a late question would find the session over before the next press does. */
const hearAll = (page: Page) => page.waitForLoadState('networkidle');

type Posted = { factorId: string; secret: string; recoveryCodes: string[] };

/** Makes a call as the console does, with this window's cookies. */
async function post(page: Page, path: string, data: object): Promise<Posted> {
  const { portalUrl } = systemUnderTest();
  const answer = await page.request.post(`/api${path}`, {
    data,
    headers: { origin: portalUrl, 'x-office': '1' },
  });
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}
