import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { appUser } from '../../../db/schema/people.ts';
import { officeApiKey, staff } from '../../../db/schema/staff.ts';

/** The person of an email, or everybody who is held. Returns how many there were. */
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

/** The key of a name, or every one that is held. */
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
