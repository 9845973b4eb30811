import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
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

const accountAndNewer = statement((db) => {
  const own = db
    .select({ franchiseId: merchantAccount.franchiseId })
    .from(merchantAccount)
    .where(eq(merchantAccount.id, sql.placeholder('id')));
  return db
    .select()
    .from(merchantAccount)
    .where(
      and(
        sql`${merchantAccount.franchiseId} IS NOT DISTINCT FROM (${own})`,
        gte(merchantAccount.id, sql.placeholder('id')),
      ),
    )
    .orderBy(asc(merchantAccount.id))
    .prepare('account_and_newer');
});

/** The account and those that came after it for the same owner, oldest first. Asked for at every charge. */
export function findAccountAndNewer(db: Queryable, id: number): Promise<MerchantAccountRow[]> {
  return accountAndNewer(db).execute({ id });
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
