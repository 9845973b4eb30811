import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { mailToken } from '../../../db/schema/people.ts';

export type MailTokenRow = typeof mailToken.$inferSelect;
export type MailTokenPurpose = MailTokenRow['purpose'];
type Named = { tokenHash: Buffer; purpose: MailTokenPurpose; email: string; now: Date };

const isGood = ({ tokenHash, purpose, email, now }: Named) =>
  and(
    eq(mailToken.tokenHash, tokenHash),
    eq(mailToken.purpose, purpose),
    eq(mailToken.email, email),
    isNull(mailToken.usedAt),
    gt(mailToken.expiresAt, now),
  );

export async function insertMailToken(db: Queryable, row: typeof mailToken.$inferInsert): Promise<void> {
  await db.insert(mailToken).values(row);
}

/** Retires older links, so that only the newest works. */
export async function retireMailTokens(
  db: Queryable,
  { purpose, email, invitationId, now }: Omit<Named, 'tokenHash'> & { invitationId: string | undefined },
): Promise<void> {
  await db
    .update(mailToken)
    .set({ usedAt: now })
    .where(
      and(
        eq(mailToken.purpose, purpose),
        eq(mailToken.email, email),
        isNull(mailToken.usedAt),
        invitationId === undefined ? undefined : eq(mailToken.invitationId, invitationId),
      ),
    );
}

/** Retires all links to these addresses, for every purpose. */
export async function retireMailTokensOf(
  tx: Queryable,
  { emails, now }: { emails: string[]; now: Date },
): Promise<void> {
  await tx
    .update(mailToken)
    .set({ usedAt: now })
    .where(and(inArray(mailToken.email, emails), isNull(mailToken.usedAt)));
}

export async function findMailToken(db: Queryable, named: Named): Promise<MailTokenRow | undefined> {
  const [row] = await db.select().from(mailToken).where(isGood(named));
  return row;
}

/** Like `findMailToken`, and locks the token so that nobody else can spend it before the transaction ends. */
export async function lockMailToken(tx: Queryable, named: Named): Promise<MailTokenRow | undefined> {
  const [row] = await tx.select().from(mailToken).where(isGood(named)).for('update');
  return row;
}

/** Marks a valid token used and returns its email. */
export async function markTokenUsed(
  tx: Queryable,
  { tokenHash, purpose, now }: Omit<Named, 'email'>,
): Promise<string | undefined> {
  const [row] = await tx
    .update(mailToken)
    .set({ usedAt: now })
    .where(
      and(
        eq(mailToken.tokenHash, tokenHash),
        eq(mailToken.purpose, purpose),
        isNull(mailToken.usedAt),
        gt(mailToken.expiresAt, now),
      ),
    )
    .returning({ email: mailToken.email });
  return row?.email;
}

export async function removeMailTokensExpiredBefore(db: Queryable, date: Date): Promise<void> {
  await db.delete(mailToken).where(lt(mailToken.expiresAt, date));
}
