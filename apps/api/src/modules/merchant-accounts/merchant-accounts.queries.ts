import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { columnsOf } from '../../db/schema/columns.ts';
import { merchantAccount } from '../../db/schema/franchises.ts';

export type MerchantAccountRow = typeof merchantAccount.$inferSelect;

const account = columnsOf(merchantAccount);

/** Locks out other writers of accounts until the transaction ends; readers continue. */
export async function lockMerchantAccounts(tx: Queryable): Promise<void> {
  await query(tx)`LOCK TABLE merchant_account IN SHARE ROW EXCLUSIVE MODE`;
}

/** `null`: the portal itself. */
export async function findCurrentAccount(
  db: Queryable,
  franchiseId: number | null,
): Promise<MerchantAccountRow | undefined> {
  const [row] = await query<MerchantAccountRow>(db)`
    SELECT ${account} FROM merchant_account
     WHERE franchise_id IS NOT DISTINCT FROM ${franchiseId}::integer AND replaced_at IS NULL`;
  return row;
}

/** Reads `columns` of `m`, the account for a franchise's next charge: its own, else the portal's. */
export const selectChargedAccount = (columns: SQL, franchiseId: SQL): SQL => sql`
  SELECT ${columns} FROM merchant_account m
   WHERE m.replaced_at IS NULL AND (m.franchise_id = ${franchiseId} OR m.franchise_id IS NULL)
   ORDER BY m.franchise_id NULLS LAST LIMIT 1`;

export async function findChargedAccount(db: Queryable, franchiseId: number): Promise<number | undefined> {
  const [row] = await query<{ id: number }>(
    db,
  )`${selectChargedAccount(sql`m.id`, sql`${franchiseId}::integer`)}`;
  return row?.id;
}

/** The account and its owner's newer ones, oldest first. Read at every charge. */
export async function findAccountAndNewer(db: Queryable, id: number): Promise<MerchantAccountRow[]> {
  return query<MerchantAccountRow>(db, { plan: 'once' })`
    SELECT ${account} FROM merchant_account
     WHERE franchise_id IS NOT DISTINCT FROM (SELECT franchise_id FROM merchant_account WHERE id = ${id})
       AND id >= ${id}
     ORDER BY id`;
}

/** Reserves an id before the insert, because sealed values are bound to their row. */
export async function nextAccountId(tx: Queryable): Promise<number> {
  const rows = await query<{ id: number }>(tx)`
    SELECT nextval(pg_get_serial_sequence('merchant_account', 'id'))::integer AS id`;
  const [row] = rows;
  if (!row) throw new Error('a sequence has a next value');
  return row.id;
}

export async function insertAccount(
  tx: Queryable,
  {
    id,
    franchiseId,
    apiKey,
    pin,
    publicKey,
  }: { id: number; franchiseId: number | null; apiKey: string; pin: string; publicKey: string },
): Promise<void> {
  await query(tx)`
    INSERT INTO merchant_account (id, franchise_id, api_key, pin, public_key) OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${franchiseId}, ${apiKey}, ${pin}, ${publicKey})`;
}

export async function markReplaced(tx: Queryable, id: number): Promise<void> {
  await query(tx)`UPDATE merchant_account SET replaced_at = engine_now() WHERE id = ${id}`;
}

export async function listAccounts(db: Queryable): Promise<MerchantAccountRow[]> {
  return query<MerchantAccountRow>(db)`SELECT ${account} FROM merchant_account ORDER BY id`;
}

export async function storeSealedKeys(
  tx: Queryable,
  { id, apiKey, pin }: { id: number; apiKey: string; pin: string },
): Promise<void> {
  await query(tx)`UPDATE merchant_account SET api_key = ${apiKey}, pin = ${pin} WHERE id = ${id}`;
}
