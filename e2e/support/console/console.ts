import { type BrowserContext, expect, type Page } from '@playwright/test';
import { systemUnderTest } from '../system.ts';

/** The demo's two people: the owner of franchise 11, and headquarters. */
export const OLIVE = 'olive@example.com';
export const HENRY = 'henry@example.com';

/** A one-time sign-in link for this person, like those that `npm start` prints. */
export async function demoLink(email: string): Promise<string> {
  const { portalUrl, officeApiKey } = systemUnderTest();
  const answer = await fetch(`${portalUrl}/api/office/demo-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { link } = (await answer.json()) as { link?: string };
  if (link === undefined) throw new Error(`There is no demo link for ${email}: ${answer.status}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Signs in and waits for the frame; retries, because another test's link replaces this one. */
export async function openConsole(page: Page, email: string = HENRY): Promise<void> {
  await expect(async () => {
    await page.goto(await demoLink(email));
    await expect(page.getByRole('button', { name: 'Search' })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 30_000 });
}

/**
 * Signs out. A person has at most five sessions, and parallel journeys share these two people, so one left over would
 * end another journey's.
 */
export async function leaveConsole(context: BrowserContext): Promise<void> {
  if ((await context.cookies()).length === 0) return;
  const { portalUrl } = systemUnderTest();
  const headers = { origin: portalUrl, 'x-office': '1' };
  await context.request.delete(`${portalUrl}/api/office/session`, { headers });
}
