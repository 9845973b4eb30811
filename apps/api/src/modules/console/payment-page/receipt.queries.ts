import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';

/** Where the payer's own receipt went, if one was wanted. */
export async function findFirstRecipient(db: Queryable, paymentId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ recipient: string }>(sql`
    SELECT recipient FROM outgoing_mail
     WHERE intent_id = ${paymentId} AND kind = 'payment-receipt' AND recipient <> '' ORDER BY created_at, id LIMIT 1`);
  return rows[0]?.recipient;
}
