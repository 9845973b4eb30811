import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

type MailRequest = { purpose: AccountMailPurpose; email: string };

export async function insertMailRequest(db: Queryable, { purpose, email }: MailRequest): Promise<void> {
  await query(db)`INSERT INTO mail_request (purpose, email) VALUES (${purpose}, ${email})`;
}

export async function isMailRequested(db: Queryable): Promise<boolean> {
  const rows = await query(db)`SELECT FROM mail_request LIMIT 1`;
  return rows.length > 0;
}

/** Takes the oldest request that no other instance holds. It is removed only if the transaction commits. */
export async function takeMailRequest(tx: Queryable): Promise<MailRequest | undefined> {
  const [row] = await query<MailRequest & { id: number }>(tx)`
    SELECT id, purpose, email FROM mail_request ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (row) await query(tx)`DELETE FROM mail_request WHERE id = ${row.id}`;
  return row;
}
