import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { listOf, query } from '../../db/query.ts';
import { movedInvitationIds } from '../account/earlier-invitations.queries.ts';

/** A customer of a franchise that the caller sees. */
export async function findCustomer(
  db: Queryable,
  { actorId, franchiseId, customerNumber }: { actorId: string; franchiseId: number; customerNumber: number },
): Promise<{ id: number; name: string; franchiseName: string } | undefined> {
  const [row] = await query<{ id: number; name: string; franchiseName: string }>(db)`
    SELECT c.id, c.name, f.name AS "franchiseName"
      FROM customer c
      JOIN franchise f ON f.id = c.franchise_id
      JOIN visible_franchise v ON v.franchise_id = f.id AND v.actor_id = ${actorId}
     WHERE c.franchise_id = ${franchiseId} AND c.number = ${customerNumber}`;
  return row;
}

/** Creates an invitation, or extends the pending one for the same person and customer, even a withdrawn one. */
export async function renewInvitation(
  db: Queryable,
  { customerId, email, expiresAt }: { customerId: number; email: string; expiresAt: Date },
): Promise<string> {
  const [made] = await query<{ id: string }>(db)`
    INSERT INTO invitation (customer_id, email, expires_at) VALUES (${customerId}, ${email}, ${expiresAt})
    ON CONFLICT (customer_id, email) WHERE accepted_at IS NULL DO UPDATE SET
      expires_at = excluded.expires_at, withdrawn_at = NULL, renewed_at = engine_now()
    RETURNING id`;
  if (!made) throw new Error('the invitation was not written');
  return made.id;
}

const isPending = (now: Date): SQL => sql`
  i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > ${now}`;

const isPendingFor = (userId: string, now: Date): SQL => sql`
  i.id IN (SELECT sent.id FROM invitation sent JOIN app_user u ON u.email = sent.email WHERE u.id = ${userId}
           UNION ALL ${movedInvitationIds(userId)})
  AND ${isPending(now)}`;

export async function findPendingInvitations(
  db: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<{ customerName: string }[]> {
  return query<{ customerName: string }>(db)`
    SELECT c.name AS "customerName" FROM invitation i JOIN customer c ON c.id = i.customer_id
     WHERE ${isPendingFor(userId, now)} ORDER BY i.created_at`;
}

/** Accepts all of a user's pending invitations. Returns the customers. */
export async function acceptPendingInvitations(
  tx: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<number[]> {
  const rows = await query<{ customerId: number }>(tx)`
    UPDATE invitation i SET accepted_at = ${now}, accepted_by = ${userId}
     WHERE ${isPendingFor(userId, now)} RETURNING i.customer_id AS "customerId"`;
  return rows.map((row) => row.customerId);
}

/** Whether the user has accepted an invitation since then. */
export async function hasAcceptedSince(
  db: Queryable,
  { userId, since }: { userId: string; since: Date },
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM invitation WHERE accepted_by = ${userId} AND accepted_at > ${since} LIMIT 1`;
  return rows.length > 0;
}

/** Accepts one invitation. Returns its customer, or nothing if it is no longer pending. */
export async function acceptInvitation(
  tx: Queryable,
  { invitationId, userId, now }: { invitationId: string; userId: string; now: Date },
): Promise<number | undefined> {
  const [row] = await query<{ customerId: number }>(tx)`
    UPDATE invitation i SET accepted_at = ${now}, accepted_by = ${userId}
     WHERE i.id = ${invitationId} AND ${isPending(now)} RETURNING i.customer_id AS "customerId"`;
  return row?.customerId;
}

/** Shows a user all of these customers' locations, including those that an office or the user hid before. */
export async function linkCustomers(
  tx: Queryable,
  { userId, customerIds }: { userId: string; customerIds: number[] },
): Promise<void> {
  if (customerIds.length === 0) return;
  await query(tx)`
    INSERT INTO user_customer AS link (user_id, customer_id)
    SELECT ${userId}::uuid, id FROM unnest(${listOf(customerIds, 'bigint')}) AS linked (id)
    ON CONFLICT (user_id, customer_id) DO UPDATE SET created_at = engine_now(), ended_at = NULL
     WHERE link.ended_at IS NOT NULL`;
  await query(tx)`
    UPDATE user_location SET hidden_at = NULL
     WHERE user_id = ${userId} AND customer_id = ANY(${listOf(customerIds, 'bigint')}) AND hidden_at IS NOT NULL`;
}
