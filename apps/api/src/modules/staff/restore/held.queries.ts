import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { appUser } from '../../../db/schema/people.ts';
import { officeApiKey, staff } from '../../../db/schema/staff.ts';

/** Releases the person with this email, or everybody held. Returns how many. */
export async function letIn(tx: Queryable, email: string | null): Promise<number> {
  const users = tx.select({ id: appUser.id }).from(appUser);
  const rows = await tx
    .update(staff)
    .set({ heldAt: null })
    .where(
      and(
        isNotNull(staff.heldAt),
        email === null ? undefined : inArray(staff.userId, users.where(eq(appUser.email, email))),
      ),
    )
    .returning({ id: staff.id });
  return rows.length;
}

/** Releases the key with this public id, or every key held. Returns how many. */
export async function letKeysIn(tx: Queryable, publicId: string | null): Promise<number> {
  const rows = await tx
    .update(officeApiKey)
    .set({ heldAt: null })
    .where(
      and(
        isNotNull(officeApiKey.heldAt),
        isNull(officeApiKey.revokedAt),
        publicId === null ? undefined : eq(officeApiKey.publicId, publicId),
      ),
    )
    .returning({ id: officeApiKey.id });
  return rows.length;
}
