import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { addressesOf } from './addresses-of.queries.ts';

export type SentInvitation = { id: string; email: string };

/**
 * Invitations last sent to addresses while the account had them, accepted by nobody, unless somebody else has such an address by
 * now and may accept them. Call before the account's changes of address are deleted.
 */
export async function findInvitationsToEarlier(tx: Queryable, userId: string): Promise<SentInvitation[]> {
  return query<SentInvitation>(tx)`
    SELECT DISTINCT i.id, i.email FROM ${addressesOf(userId)} AS own
      JOIN invitation i ON i.email = own.address
       AND coalesce(i.renewed_at, i.created_at) BETWEEN own.free_since AND own.until
     WHERE i.accepted_at IS NULL
       AND NOT EXISTS (SELECT FROM app_user u WHERE u.email = own.address AND u.id <> ${userId}
                          AND u.email_confirmed_at IS NOT NULL)`;
}
