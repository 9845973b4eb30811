import { randomBytes } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { USER_TYPE } from '../../../packages/contract/src/customers/users.ts';
import { inDatabase } from '../database.ts';
import { heading } from '../screens.ts';
import { systemUnderTest } from '../system.ts';

let ownHeadquarters: string | undefined;

/**
 * Henry Park of headquarters, as the demo has him, for this worker alone. Journeys that run side by side as one person
 * would end each other's links and sessions, which are five at most, and use up what one may list in a minute.
 */
async function headquarters(): Promise<string> {
  if (ownHeadquarters !== undefined) return ownHeadquarters;
  const email = `henry.${randomBytes(6).toString('hex')}@example.com`;
  await inDatabase((client) =>
    client.query(
      `WITH person AS (
         INSERT INTO app_user (email, first_name, last_name, password_hash, user_type, email_confirmed_at)
         VALUES ($1, 'Henry', 'Park', 'nobody has it', $2, engine_now()) RETURNING id)
       INSERT INTO staff (user_id, role, state, webauthn_id)
       SELECT id, 'admin', 'active', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) FROM person`,
      [email, USER_TYPE.admin],
    ),
  );
  ownHeadquarters = email;
  return email;
}

/** An address that signs headquarters in, once, as `npm start` prints it. */
export async function demoLink(): Promise<string> {
  const { portalUrl, officeApiKey } = systemUnderTest();
  const answer = await fetch(`${portalUrl}/api/office/demo-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: await headquarters() }),
  });
  const { link } = (await answer.json()) as { link?: string };
  if (link === undefined) throw new Error(`There is no demo link: ${answer.status}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Signs headquarters in. */
export async function openConsole(page: Page): Promise<void> {
  await page.goto(await demoLink());
  await expect(page.getByRole('button', { name: 'Henry Park' })).toBeVisible();
  await expectToldWhere(page);
}

/**
 * After a link the heading takes the focus, a moment after it is drawn. What is opened or focused before that loses it
 * again, as a menu that closes.
 */
export async function expectToldWhere(page: Page): Promise<void> {
  await expect(heading(page)).toBeFocused();
}

/** A person has five sessions at most, the newest: one left over would end another journey's. */
export async function leaveConsole(context: BrowserContext): Promise<void> {
  if ((await context.cookies()).length === 0) return;
  const { portalUrl } = systemUnderTest();
  const headers = { origin: portalUrl, 'x-office': '1' };
  await context.request.delete(`${portalUrl}/api/office/session`, { headers });
}
