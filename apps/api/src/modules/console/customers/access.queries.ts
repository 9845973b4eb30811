import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import type { SentInvitation } from '../../account/earlier-invitations.queries.ts';

type Link = { userId: string; customerId: number };

/**
 * Hides a customer's locations from a person, who keeps those of other customers and may add each again by its three
 * numbers. False if they saw none.
 */
export async function endLinks(tx: Queryable, { userId, customerId }: Link): Promise<boolean> {
  const rows = await query<{ isEnded: boolean }>(tx)`
    WITH invited AS (
      UPDATE user_customer SET ended_at = engine_now()
       WHERE user_id = ${userId} AND customer_id = ${customerId} AND ended_at IS NULL RETURNING user_id),
    linked AS (
      UPDATE user_location SET hidden_at = engine_now()
       WHERE user_id = ${userId} AND customer_id = ${customerId} AND linked_at IS NOT NULL AND hidden_at IS NULL
      RETURNING user_id)
    SELECT EXISTS (SELECT FROM invited) OR EXISTS (SELECT FROM linked) AS "isEnded"`;
  return onlyRow(rows).isEnded;
}

/**
 * An older invitation would let the person in again, one to an earlier address too. Returns those withdrawn.
 */
export async function withdrawInvitationsOf(
  tx: Queryable,
  { userId, customerId, toEarlier }: Link & { toEarlier: SentInvitation[] },
): Promise<string[]> {
  const earlierIds = toEarlier.map(({ id }) => id);
  const withdrawn = await query<{ id: string }>(tx)`
    UPDATE invitation t SET withdrawn_at = engine_now() FROM app_user u
     WHERE u.id = ${userId} AND (t.email = u.email OR t.id = ANY(${listOf(earlierIds, 'uuid')}))
       AND t.customer_id = ${customerId}
       AND t.accepted_at IS NULL AND t.withdrawn_at IS NULL
    RETURNING t.id`;
  return withdrawn.map(({ id }) => id);
}

export async function lockInvitation(
  tx: Queryable,
  { invitationId, customerId }: { invitationId: string; customerId: number },
): Promise<{ email: string; isAccepted: boolean } | undefined> {
  const [row] = await query<{ email: string; isAccepted: boolean }>(tx)`
    SELECT email, accepted_at IS NOT NULL AS "isAccepted" FROM invitation
     WHERE id = ${invitationId} AND customer_id = ${customerId} FOR UPDATE`;
  return row;
}

export async function markWithdrawn(
  tx: Queryable,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await query(tx)`
    UPDATE invitation SET withdrawn_at = engine_now() WHERE id = ${invitationId} AND withdrawn_at IS NULL`;
}
