import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { customer, franchise } from '../../db/schema/franchises.ts';
import { appUser, invitation, userCustomer, userLocation } from '../../db/schema/people.ts';
import { visibleFranchise } from '../../db/schema/staff.ts';

/** A customer of a franchise that the caller sees. */
export async function findCustomer(
  db: Queryable,
  { actorId, franchiseId, customerNumber }: { actorId: string; franchiseId: number; customerNumber: number },
): Promise<{ id: number; name: string; franchiseName: string } | undefined> {
  const [row] = await db
    .select({ id: customer.id, name: customer.name, franchiseName: franchise.name })
    .from(customer)
    .innerJoin(franchise, eq(franchise.id, customer.franchiseId))
    .innerJoin(
      visibleFranchise,
      and(eq(visibleFranchise.franchiseId, franchise.id), eq(visibleFranchise.actorId, actorId)),
    )
    .where(and(eq(customer.franchiseId, franchiseId), eq(customer.number, customerNumber)));
  return row;
}

/** Creates an invitation, or extends the pending one for the same person and customer, even a withdrawn one. */
export async function renewInvitation(
  db: Queryable,
  row: { customerId: number; email: string; expiresAt: Date },
): Promise<string> {
  const [made] = await db
    .insert(invitation)
    .values(row)
    .onConflictDoUpdate({
      target: [invitation.customerId, invitation.email],
      targetWhere: isNull(invitation.acceptedAt),
      set: { expiresAt: row.expiresAt, withdrawnAt: null },
    })
    .returning({ id: invitation.id });
  if (!made) throw new Error('the invitation was not written');
  return made.id;
}

const isPending = (now: Date) =>
  and(isNull(invitation.acceptedAt), isNull(invitation.withdrawnAt), gt(invitation.expiresAt, now));

const isPendingFor = (userId: string, now: Date) =>
  and(
    eq(invitation.email, sql`(SELECT email FROM ${appUser} WHERE ${appUser.id} = ${userId})`),
    isPending(now),
  );

export async function findPendingInvitations(
  db: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<{ customerName: string }[]> {
  return db
    .select({ customerName: customer.name })
    .from(invitation)
    .innerJoin(customer, eq(customer.id, invitation.customerId))
    .where(isPendingFor(userId, now))
    .orderBy(asc(invitation.createdAt));
}

/** Accepts all of a user's pending invitations. Returns the customers. */
export async function acceptPendingInvitations(
  tx: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<number[]> {
  const rows = await tx
    .update(invitation)
    .set({ acceptedAt: now, acceptedBy: userId })
    .where(isPendingFor(userId, now))
    .returning({ customerId: invitation.customerId });
  return rows.map((row) => row.customerId);
}

/** Accepts one invitation. Returns its customer, or nothing if it is no longer pending. */
export async function acceptInvitation(
  tx: Queryable,
  { invitationId, userId, now }: { invitationId: string; userId: string; now: Date },
): Promise<number | undefined> {
  const [row] = await tx
    .update(invitation)
    .set({ acceptedAt: now, acceptedBy: userId })
    .where(and(eq(invitation.id, invitationId), isPending(now)))
    .returning({ customerId: invitation.customerId });
  return row?.customerId;
}

/** Shows a user all of these customers' locations, including those that an office or the user hid before. */
export async function linkCustomers(
  tx: Queryable,
  { userId, customerIds }: { userId: string; customerIds: number[] },
): Promise<void> {
  if (customerIds.length === 0) return;
  await tx
    .insert(userCustomer)
    .values(customerIds.map((customerId) => ({ userId, customerId })))
    .onConflictDoUpdate({
      target: [userCustomer.userId, userCustomer.customerId],
      set: { createdAt: sql`clock_timestamp()`, endedAt: null },
      setWhere: isNotNull(userCustomer.endedAt),
    });
  await tx
    .update(userLocation)
    .set({ hiddenAt: null })
    .where(
      and(
        eq(userLocation.userId, userId),
        inArray(userLocation.customerId, customerIds),
        isNotNull(userLocation.hiddenAt),
      ),
    );
}
