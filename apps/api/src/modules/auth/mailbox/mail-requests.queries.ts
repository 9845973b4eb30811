import { eq } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { mailRequest } from '../../../db/schema/people.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

type MailRequest = { purpose: AccountMailPurpose; email: string };

export async function insertMailRequest(db: Queryable, row: MailRequest): Promise<void> {
  await db.insert(mailRequest).values(row);
}

export async function isMailRequested(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: mailRequest.id }).from(mailRequest).limit(1);
  return rows.length > 0;
}

/** Takes the oldest request that no other instance holds. It is removed only if the transaction commits. */
export async function takeMailRequest(tx: Queryable): Promise<MailRequest | undefined> {
  const [row] = await tx
    .select()
    .from(mailRequest)
    .orderBy(mailRequest.id)
    .limit(1)
    .for('update', { skipLocked: true });
  if (row) await tx.delete(mailRequest).where(eq(mailRequest.id, row.id));
  return row;
}
