import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { staffFactor } from '../../../db/schema/staff.ts';
import type { FactorRow } from '../factors/factors.queries.ts';
import type { NewCredential } from './webauthn.ts';

/** Locked for the rest of the transaction, so that its counter is compared with the latest value. */
export async function lockPasskey(tx: Queryable, credentialId: Buffer): Promise<FactorRow | undefined> {
  const [row] = await tx
    .select()
    .from(staffFactor)
    .where(and(eq(staffFactor.credentialId, credentialId), isNull(staffFactor.removedAt)))
    .for('update');
  return row;
}

export async function notePasskeyUsed(
  tx: Queryable,
  { factorId, signCount }: { factorId: string; signCount: number },
): Promise<void> {
  await tx
    .update(staffFactor)
    .set({ signCount, lastUsedAt: sql`engine_now()` })
    .where(eq(staffFactor.id, factorId));
}

/** Null if the passkey already belongs to somebody. */
export async function insertPasskey(
  tx: Queryable,
  row: NewCredential & { staffId: string; name: string },
): Promise<string | null> {
  const [made] = await tx
    .insert(staffFactor)
    .values({ ...row, kind: 'passkey', confirmedAt: sql`engine_now()` as never })
    .onConflictDoNothing()
    .returning({ id: staffFactor.id });
  return made?.id ?? null;
}
