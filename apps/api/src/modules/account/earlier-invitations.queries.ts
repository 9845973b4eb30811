import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { addressesOf } from './addresses-of.queries.ts';

export type SentInvitation = { id: string; email: string };

/**
 * Invitations last sent to addresses while the account had them, accepted by nobody, unless somebody else has such an address by
 * now and may accept them. Call before the account's changes of address are deleted.
 */
export const findInvitationsToEarlier = (tx: Queryable, userId: string): Promise<SentInvitation[]> =>
  query<SentInvitation>(tx)`${sentUntil(sql`own.until`, userId)}`;

/**
 * The ids of those that were sent before the account left the address, which move along with it. What was sent to the address
 * since may be meant for somebody from whom the account was taken.
 */
export const movedInvitationIds = (userId: string): SQL =>
  sql`(SELECT id FROM (${sentUntil(sql`own.left_at`, userId)}) AS moved)`;

const sentUntil = (end: SQL, userId: string): SQL => sql`
  SELECT DISTINCT i.id, i.email FROM ${addressesOf(userId)} AS own
    JOIN invitation i ON i.email = own.address
     AND coalesce(i.renewed_at, i.created_at) BETWEEN own.free_since AND ${end}
   WHERE i.accepted_at IS NULL
     AND NOT EXISTS (SELECT FROM app_user u WHERE u.email = own.address AND u.id <> ${userId}
                        AND u.email_confirmed_at IS NOT NULL)`;
