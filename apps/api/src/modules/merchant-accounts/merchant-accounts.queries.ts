import { and, asc, eq, gte, isNull, or, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
import { merchantAccount } from '../../db/schema/franchises.ts';

export type MerchantAccountRow = typeof merchantAccount.$inferSelect;

/** `null`: the portal itself. */
const ownedBy = (franchiseId: number | null) =>
  franchiseId === null ? isNull(merchantAccount.franchiseId) : eq(merchantAccount.franchiseId, franchiseId);

/** Locks out other writers of accounts until the transaction ends; readers continue. */
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

/** The account for a franchise's next charge: its own, else the portal's. */
export async function findChargedAccount(db: Queryable, franchiseId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ id: merchantAccount.id })
    .from(merchantAccount)
    .where(and(isNull(merchantAccount.replacedAt), or(ownedBy(franchiseId), ownedBy(null))))
    .orderBy(sql`${merchantAccount.franchiseId} NULLS LAST`)
    .limit(1);
  return row?.id;
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

/** The account and its owner's newer ones, oldest first. Read at every charge. */
export function findAccountAndNewer(db: Queryable, id: number): Promise<MerchantAccountRow[]> {
  return accountAndNewer(db).execute({ id });
}

/** Reserves an id before the insert, because sealed values are bound to their row. */
export async function nextAccountId(tx: Queryable): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT nextval(pg_get_serial_sequence('merchant_account', 'id'))::integer AS id`);
  const [row] = rows;
  if (!row) throw new Error('a sequence has a next value');
  return row.id;
}

export async function insertAccount(
  tx: Queryable,
  account: { id: number; franchiseId: number | null; apiKey: string; pin: string; publicKey: string },
): Promise<void> {
  await tx.insert(merchantAccount).overridingSystemValue().values(account);
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
