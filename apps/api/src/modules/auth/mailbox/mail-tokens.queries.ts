import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { mailToken } from '../../../db/schema/people.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';

export type MailTokenRow = typeof mailToken.$inferSelect;
export type MailTokenPurpose = MailTokenRow['purpose'];
type Named = { tokenHash: Buffer; purpose: MailTokenPurpose; email: string; now: Date };

const token = columnsOf(mailToken);

const isUsable = ({ tokenHash, purpose, now }: Omit<Named, 'email'>): SQL => sql`
  token_hash = ${tokenHash} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}`;
const isGood = (named: Named): SQL => sql`${isUsable(named)} AND email = ${named.email}`;

export async function insertMailToken(
  db: Queryable,
  row: Omit<MailTokenRow, 'usedAt' | 'invitationId'> & { invitationId: string | undefined },
): Promise<void> {
  await query(db)`
    INSERT INTO mail_token (token_hash, purpose, email, invitation_id, created_at, expires_at)
    VALUES (${row.tokenHash}, ${row.purpose}, ${row.email}, ${row.invitationId ?? null}, ${row.createdAt},
            ${row.expiresAt})`;
}

/** Retires older links, so that only the newest works. */
export async function retireMailTokens(
  db: Queryable,
  { purpose, email, invitationId, now }: Omit<Named, 'tokenHash'> & { invitationId: string | undefined },
): Promise<void> {
  await query(db)`
    UPDATE mail_token SET used_at = ${now}
     WHERE purpose = ${purpose} AND email = ${email} AND used_at IS NULL
       ${invitationId === undefined ? sql`` : sql`AND invitation_id = ${invitationId}`}`;
}

/** Retires all links to these addresses, for every purpose or only for these. */
export async function retireMailTokensOf(
  tx: Queryable,
  { emails, purposes, now }: { emails: string[]; purposes?: readonly MailTokenPurpose[]; now: Date },
): Promise<void> {
  await query(tx)`
    UPDATE mail_token SET used_at = ${now}
     WHERE email = ANY(${listOf(emails, 'text')}) AND used_at IS NULL
       ${purposes === undefined ? sql`` : sql`AND purpose = ANY(${listOf(purposes, 'text')})`}`;
}

export async function findMailToken(db: Queryable, named: Named): Promise<MailTokenRow | undefined> {
  const [row] = await query<MailTokenRow>(db)`SELECT ${token} FROM mail_token WHERE ${isGood(named)}`;
  return row;
}

/** Like `findMailToken`, and locks the token so that nobody else can spend it before the transaction ends. */
export async function lockMailToken(tx: Queryable, named: Named): Promise<MailTokenRow | undefined> {
  const [row] = await query<MailTokenRow>(tx)`
    SELECT ${token} FROM mail_token WHERE ${isGood(named)} FOR UPDATE`;
  return row;
}

/** Whom a valid token was made for, where a link names no email. */
export async function findTokenOwner(
  db: Queryable,
  named: Omit<Named, 'email'>,
): Promise<string | undefined> {
  const [row] = await query<{ email: string }>(db)`SELECT email FROM mail_token WHERE ${isUsable(named)}`;
  return row?.email;
}

/** Marks a token used; false if it isn't valid any more. */
export async function markTokenUsed(tx: Queryable, named: Omit<Named, 'email'>): Promise<boolean> {
  const used = await query(tx)`
    UPDATE mail_token SET used_at = ${named.now} WHERE ${isUsable(named)} RETURNING email`;
  return used.length > 0;
}

export async function removeMailTokensExpiredBefore(db: Queryable, date: Date): Promise<void> {
  await removeOld(db, { from: 'mail_token', where: sql`expires_at < ${date}`, oldestBy: 'expires_at' });
}
