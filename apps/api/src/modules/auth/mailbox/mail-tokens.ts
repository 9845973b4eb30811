import { randomBytes } from 'node:crypto';
import { hashToken } from '../../../crypto/hash-token.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { emailKey } from '../users/email-key.ts';
import {
  findMailToken,
  findTokenOwner,
  insertMailToken,
  lockMailToken,
  type MailTokenPurpose,
  type MailTokenRow,
  markTokenUsed,
  retireMailTokens,
} from './mail-tokens.queries.ts';

const LIFETIME_HOURS: Record<MailTokenPurpose, number> = {
  confirm: 24,
  reset: 1,
  invitation: 14 * 24,
  staff: 72,
  'office-reset': 1,
  demo: 24,
};
const PAGES: Record<MailTokenPurpose, string> = {
  confirm: '/confirm',
  reset: '/resetpassword',
  invitation: '/invitation',
  staff: '/office/welcome',
  'office-reset': '/office/reset',
  demo: '/office/demo',
};

/** A token as sent back from a mail's link. */
export type GivenMailToken = { purpose: MailTokenPurpose; email: string; token: string };

/**
 * Creates a link with a new token in the caller's transaction; older links of the same purpose stop working. Opening a
 * link spends nothing, because mail scanners open every link.
 */
export async function createMailLink(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  { purpose, email, invitationId }: { purpose: MailTokenPurpose; email: string; invitationId?: string },
): Promise<string> {
  const now = deps.clock();
  const token = randomBytes(32).toString('base64url');
  await retireMailTokens(tx, { purpose, email, invitationId, now });
  await insertMailToken(tx, {
    tokenHash: hashToken(token),
    purpose,
    email,
    invitationId,
    createdAt: now,
    expiresAt: mailTokenExpiry(deps, purpose),
  });
  const page = PAGES[purpose];
  const origin = page.startsWith('/office/') ? deps.env.OFFICE_URL : deps.env.PUBLIC_URL;
  return `${origin}${page}?${new URLSearchParams({ e: email, t: token })}`;
}

export function mailTokenExpiry(deps: Pick<Deps, 'clock'>, purpose: MailTokenPurpose): Date {
  return new Date(deps.clock().getTime() + LIFETIME_HOURS[purpose] * 3_600_000);
}

/** Finds a valid token, before doing anything costly for it. */
export function findGoodMailToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  given: GivenMailToken,
): Promise<MailTokenRow | undefined> {
  return findMailToken(deps.db.query, named(deps, given));
}

/** Locks a token for the rest of the transaction; nothing if it isn't valid. */
export function holdMailToken(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  given: GivenMailToken,
): Promise<MailTokenRow | undefined> {
  return lockMailToken(tx, named(deps, given));
}

/** Spends all of an email's tokens of one purpose, including the held one. */
export async function spendMailTokens(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  { purpose, email, invitationId }: { purpose: MailTokenPurpose; email: string; invitationId?: string },
): Promise<void> {
  await retireMailTokens(tx, { purpose, email, invitationId, now: deps.clock() });
}

/** The owner of a demo link, which names no email; undefined if it isn't valid. */
export function findDemoOwner(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  token: string,
): Promise<string | undefined> {
  return findTokenOwner(tx, ofDemo(deps, token));
}

/** Spends a demo link; false if it isn't valid. */
export function spendDemoToken(deps: Pick<Deps, 'clock'>, tx: Queryable, token: string): Promise<boolean> {
  return markTokenUsed(tx, ofDemo(deps, token));
}

const ofDemo = ({ clock }: Pick<Deps, 'clock'>, token: string) =>
  ({ tokenHash: hashToken(token), purpose: 'demo', now: clock() }) as const;

function named(deps: Pick<Deps, 'clock'>, { purpose, email, token }: GivenMailToken) {
  return { tokenHash: hashToken(token), purpose, email: emailKey(email), now: deps.clock() };
}
