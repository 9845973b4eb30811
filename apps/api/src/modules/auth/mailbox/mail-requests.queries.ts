import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

type MailRequest = {
  purpose: AccountMailPurpose;
  email: string;
  /** Whether its address had asked for as many as it may. */
  isPastLimit: boolean;
};

/** How many requests past their address's limit wait at once. */
const MOST_PAST_LIMIT = 1000;

export async function insertMailRequest(
  db: Queryable,
  { purpose, email }: Omit<MailRequest, 'isPastLimit'>,
): Promise<void> {
  await query(db)`INSERT INTO mail_request (purpose, email) VALUES (${purpose}, ${email})`;
}

/** Queues a request past its address's limit; false if too many of them wait. */
export async function insertMailRequestPastLimit(
  db: Queryable,
  { purpose, email }: Omit<MailRequest, 'isPastLimit'>,
): Promise<boolean> {
  const queued = await query(db)`
    INSERT INTO mail_request (purpose, email, is_past_limit)
    SELECT ${purpose}, ${email}, true
     WHERE (SELECT count(*) FROM (SELECT FROM mail_request WHERE is_past_limit LIMIT ${MOST_PAST_LIMIT}) AS waiting)
           < ${MOST_PAST_LIMIT}
    RETURNING id`;
  return queued.length > 0;
}

export async function isMailRequested(db: Queryable): Promise<boolean> {
  const rows = await query(db)`SELECT FROM mail_request LIMIT 1`;
  return rows.length > 0;
}

/**
 * Takes the oldest request that no other instance holds; those past their address's limit come last. It is removed only
 * if the transaction commits.
 */
export async function takeMailRequest(tx: Queryable): Promise<MailRequest | undefined> {
  const [row] = await query<MailRequest>(tx)`
    DELETE FROM mail_request
     WHERE id = (SELECT id FROM mail_request ORDER BY is_past_limit, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING purpose, email, is_past_limit AS "isPastLimit"`;
  return row;
}
