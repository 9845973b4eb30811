import { and, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { staffFactor, staffRecoveryCode } from '../../../db/schema/staff.ts';

export type FactorRow = typeof staffFactor.$inferSelect;

const isLive = and(isNotNull(staffFactor.confirmedAt), isNull(staffFactor.removedAt));

/** A person's second factors. */
export async function listFactors(db: Queryable, staffId: string): Promise<FactorRow[]> {
  return db
    .select()
    .from(staffFactor)
    .where(and(eq(staffFactor.staffId, staffId), isLive))
    .orderBy(desc(staffFactor.createdAt));
}

/**
 * Locks a person's factors for the rest of the transaction, so that two removals of the last
 * two run one after the other.
 */
export async function lockFactors(tx: Queryable, staffId: string): Promise<FactorRow[]> {
  await tx.execute(sql`SELECT FROM staff WHERE id = ${staffId} FOR UPDATE`);
  return listFactors(tx, staffId);
}

export async function findApp(db: Queryable, staffId: string): Promise<FactorRow | undefined> {
  const [row] = await db
    .select()
    .from(staffFactor)
    .where(and(eq(staffFactor.staffId, staffId), eq(staffFactor.kind, 'totp'), isLive));
  return row;
}

/** Takes a code's time step. False if it was taken: a code works once. */
export async function takeStep(
  db: Queryable,
  { factorId, step }: { factorId: string; step: number },
): Promise<boolean> {
  const taken = await db
    .update(staffFactor)
    .set({ totpLastStep: step, lastUsedAt: sql`engine_now()` })
    .where(
      and(eq(staffFactor.id, factorId), lt(staffFactor.totpLastStep, step), isNull(staffFactor.removedAt)),
    )
    .returning({ id: staffFactor.id });
  return taken.length > 0;
}

export async function insertApp(
  db: Queryable,
  row: { id: string; staffId: string; totpSecret: string },
): Promise<void> {
  await db.insert(staffFactor).values({ ...row, kind: 'totp', name: '', totpLastStep: 0 });
}

/** An app begun within the hour that hasn't shown a code yet. */
export async function findUnconfirmedApp(
  db: Queryable,
  { staffId, factorId }: { staffId: string; factorId: string },
): Promise<FactorRow | undefined> {
  const [row] = await db
    .select()
    .from(staffFactor)
    .where(
      and(
        eq(staffFactor.id, factorId),
        eq(staffFactor.staffId, staffId),
        eq(staffFactor.kind, 'totp'),
        isNull(staffFactor.confirmedAt),
        isNull(staffFactor.removedAt),
        gt(staffFactor.createdAt, sql`engine_now() - interval '1 hour'`),
      ),
    );
  return row;
}

export async function confirmApp(
  tx: Queryable,
  { factorId, name, step }: { factorId: string; name: string; step: number },
): Promise<void> {
  await tx
    .update(staffFactor)
    .set({ name, totpLastStep: step, confirmedAt: sql`engine_now()` })
    .where(eq(staffFactor.id, factorId));
}

/** Removes apps that never showed a code. */
export async function dropUnconfirmedApps(tx: Queryable, staffId: string): Promise<void> {
  await tx
    .update(staffFactor)
    .set({ removedAt: sql`engine_now()` })
    .where(
      and(eq(staffFactor.staffId, staffId), isNull(staffFactor.confirmedAt), isNull(staffFactor.removedAt)),
    );
}

export async function renameFactor(
  db: Queryable,
  { staffId, factorId, name }: { staffId: string; factorId: string; name: string },
): Promise<FactorRow | undefined> {
  const [row] = await db
    .update(staffFactor)
    .set({ name })
    .where(and(eq(staffFactor.id, factorId), eq(staffFactor.staffId, staffId), isLive))
    .returning();
  return row;
}

/** Removes the named factor, or all. Returns what was removed. */
export async function removeFactors(
  tx: Queryable,
  { staffId, factorId }: { staffId: string; factorId?: string },
): Promise<FactorRow[]> {
  return tx
    .update(staffFactor)
    .set({ removedAt: sql`engine_now()` })
    .where(
      and(
        eq(staffFactor.staffId, staffId),
        isNull(staffFactor.removedAt),
        factorId === undefined ? undefined : eq(staffFactor.id, factorId),
      ),
    )
    .returning();
}

export async function replaceRecoveryCodes(
  tx: Queryable,
  { staffId, hashes }: { staffId: string; hashes: Buffer[] },
): Promise<void> {
  await removeRecoveryCodes(tx, staffId);
  await tx.insert(staffRecoveryCode).values(hashes.map((codeHash) => ({ staffId, codeHash })));
}

export async function removeRecoveryCodes(tx: Queryable, staffId: string): Promise<void> {
  await tx.delete(staffRecoveryCode).where(eq(staffRecoveryCode.staffId, staffId));
}

/** False if the code isn't this person's, or was used. */
export async function spendRecoveryCode(
  tx: Queryable,
  { staffId, codeHash }: { staffId: string; codeHash: Buffer },
): Promise<boolean> {
  const spent = await tx
    .update(staffRecoveryCode)
    .set({ usedAt: sql`engine_now()` })
    .where(
      and(
        eq(staffRecoveryCode.codeHash, codeHash),
        eq(staffRecoveryCode.staffId, staffId),
        isNull(staffRecoveryCode.usedAt),
      ),
    )
    .returning({ codeHash: staffRecoveryCode.codeHash });
  return spent.length > 0;
}

export async function countRecoveryCodes(db: Queryable, staffId: string): Promise<number> {
  return db.$count(
    staffRecoveryCode,
    and(eq(staffRecoveryCode.staffId, staffId), isNull(staffRecoveryCode.usedAt)),
  );
}

/** The secrets of all apps in use; about as many as people, so no paging. */
export async function selectAppSecrets(db: Queryable): Promise<{ id: string; totpSecret: string }[]> {
  const rows = await db
    .select({ id: staffFactor.id, totpSecret: staffFactor.totpSecret })
    .from(staffFactor)
    .where(and(eq(staffFactor.kind, 'totp'), isNull(staffFactor.removedAt)));
  return rows.flatMap(({ id, totpSecret }) => (totpSecret === null ? [] : [{ id, totpSecret }]));
}

export async function replaceAppSecret(
  db: Queryable,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(staffFactor)
    .set({ totpSecret: to })
    .where(and(eq(staffFactor.id, id), eq(staffFactor.totpSecret, from)));
}
