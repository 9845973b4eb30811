import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { merchantAccount } from '../../db/schema/franchises.ts';

export type MerchantAccountRow = typeof merchantAccount.$inferSelect;

/** `null` is the portal itself. */
const ownedBy = (franchiseId: number | null) =>
  franchiseId === null ? isNull(merchantAccount.franchiseId) : eq(merchantAccount.franchiseId, franchiseId);

/** Keeps every other writer of accounts out until the transaction ends; readers go on. */
export async function lockMerchantAccounts(tx: Queryable): Promise<void> {
  await tx.execute(sql`LOCK TABLE merchant_account IN SHARE ROW EXCLUSIVE MODE`);
}

export async function findCurrentAccount(
  db: Queryable,
  franchiseId: number | null,
): Promise<MerchantAccountRow | undefined> {
  const [row] = await db
    .select()
    .from(merchantAccount)
    .where(and(ownedBy(franchiseId), isNull(merchantAccount.replacedAt)));
  return row;
}

/** The account and those that came after it for the same owner, oldest first. */
export async function findAccountAndNewer(db: Queryable, id: number): Promise<MerchantAccountRow[]> {
  const [own] = await db.select().from(merchantAccount).where(eq(merchantAccount.id, id));
  if (!own) return [];
  return db
    .select()
    .from(merchantAccount)
    .where(and(ownedBy(own.franchiseId), gte(merchantAccount.id, id)))
    .orderBy(asc(merchantAccount.id));
}

export async function insertAccount(
  tx: Queryable,
  account: { franchiseId: number | null; apiKey: string; pin: string; publicKey: string },
): Promise<void> {
  await tx.insert(merchantAccount).values(account);
}

export async function markReplaced(tx: Queryable, id: number): Promise<void> {
  await tx
    .update(merchantAccount)
    .set({ replacedAt: sql`clock_timestamp()` })
    .where(eq(merchantAccount.id, id));
}

export function listAccounts(db: Queryable): Promise<MerchantAccountRow[]> {
  return db.select().from(merchantAccount).orderBy(asc(merchantAccount.id));
}

export async function storeSealedKeys(
  tx: Queryable,
  { id, apiKey, pin }: { id: number; apiKey: string; pin: string },
): Promise<void> {
  await tx.update(merchantAccount).set({ apiKey, pin }).where(eq(merchantAccount.id, id));
}
