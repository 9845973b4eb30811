import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import type { SeenIntent } from './books-memory.ts';
import type { Marks } from './list-restore-signs.ts';

/** The mark that transaction `xid` writes in a row: this transaction's, or, with `xmin`, that of the row's writer. */
const markOf = (xid: SQL) => sql`concat_ws('/', (SELECT marks FROM database_marks()), ${xid})`;
const waits = sql`
  (current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') IN ('on', 'remote_apply'))`;
const isItself = sql`e.mark = ${markOf(sql`e.xmin`)}`;

const isKnown = (intentId: string | null) => sql`
  (${intentId}::uuid IS NULL OR EXISTS (SELECT FROM payment_intent known WHERE known.id = ${intentId}::uuid))`;

/**
 * Whether account `m` is closed in epoch `e`: its list wasn't looked at, or shows a payment whose work orders can't all
 * be read. Looked up by key, so that the planner doesn't read every account's look for one payment.
 */
const isAccountClosed = sql`(
  (SELECT l.epoch FROM account_look l WHERE l.public_url = e.public_url AND l.merchant_account_id = m.id)
    IS DISTINCT FROM e.epoch
  OR EXISTS (SELECT FROM found_payment f
              WHERE f.merchant_account_id = m.id AND f.is_unnamed AND f.settled_at IS NULL))`;

/**
 * Which accounts may have taken a franchise's payments: its current one, former ones and the portal's. A restore loses
 * which of them was in use.
 */
export const mayHaveTaken = (franchiseIds: number[]) => sql`
  (m.franchise_id IS NULL OR m.franchise_id = ANY(${listOf(franchiseIds, 'integer')}))`;

/** Whether payments for these franchises must wait for a look at the provider's lists. No franchises: saving a card. */
export const isClosed = ({
  publicUrl,
  franchiseIds,
  seen,
}: {
  publicUrl: string;
  franchiseIds: number[];
  seen: SeenIntent | null;
}) => sql`
  NOT EXISTS (
    SELECT FROM books_epoch e
     WHERE e.public_url = ${publicUrl} AND ${isItself} AND ${isKnown(seen?.intentId ?? null)}
       AND NOT EXISTS (SELECT FROM merchant_account m WHERE ${mayHaveTaken(franchiseIds)} AND ${isAccountClosed}))`;

export async function isOpen(db: Queryable, payment: Parameters<typeof isClosed>[0]): Promise<boolean> {
  const rows = await query<{ isOpen: boolean }>(db)`SELECT NOT ${isClosed(payment)} AS "isOpen"`;
  return onlyRow(rows).isOpen;
}

/**
 * Refunds need certainty: open accounts, those of the payment's other charges too, and, after a restore, every list
 * compared in full that can be read.
 */
export async function areRefundsOpen(
  db: Queryable,
  payment: Parameters<typeof isClosed>[0] & { intentId: string },
): Promise<boolean> {
  const rows = await query<{ areOpen: boolean }>(db)`
    SELECT NOT ${isClosed(payment)} AND NOT EXISTS (
      SELECT FROM books_epoch e CROSS JOIN charge c JOIN merchant_account m ON m.id = c.merchant_account_id
       WHERE e.public_url = ${payment.publicUrl} AND c.intent_id = ${payment.intentId} AND ${isAccountClosed}) AND NOT EXISTS (
      SELECT FROM deployment WHERE public_url = ${payment.publicUrl} AND restore_noticed_at IS NOT NULL) AS "areOpen"`;
  return onlyRow(rows).areOpen;
}

/**
 * Whether payment `p` may have been accepted in newer books than these: the list of one of its accounts wasn't looked
 * at in this epoch.
 */
export const mayBeLost = ({ publicUrl }: { publicUrl: string }) => sql`
  NOT EXISTS (
    SELECT FROM books_epoch e
     WHERE e.public_url = ${publicUrl} AND ${isItself}
       AND NOT EXISTS (
         SELECT FROM charge c
           LEFT JOIN account_look l ON l.public_url = e.public_url AND l.merchant_account_id = c.merchant_account_id
          WHERE c.intent_id = p.id AND l.epoch IS DISTINCT FROM e.epoch))`;

/**
 * Whether what was sent for charge `c` before this epoch may still be missing from its account's list: the charge is
 * older than the look that opened the account, and no second look has confirmed that one.
 */
export const mayBeUnlisted = ({ publicUrl }: { publicUrl: string }) => sql`
  EXISTS (SELECT FROM books_epoch e JOIN account_look l USING (public_url, epoch)
           WHERE e.public_url = ${publicUrl} AND l.merchant_account_id = c.merchant_account_id
             AND l.confirm_at IS NOT NULL AND c.created_at < l.looked_at)`;

/** Counts the merchant accounts that take no payments: all of them if this may be another database. */
export const countClosedAccounts = (publicUrl: string) => sql`
  (SELECT count(*)::integer FROM merchant_account m
    WHERE m.replaced_at IS NULL AND NOT EXISTS (
      SELECT FROM books_epoch e WHERE e.public_url = ${publicUrl} AND ${isItself} AND NOT ${isAccountClosed}))`;

export type Epoch = {
  epoch: string;
  /** A restore was noticed, and some lists haven't been compared in full yet. */
  isNoticed: boolean;
};

/**
 * The current epoch, whether this is still the same database, and whether it knows the newest
 * payment that this process saw.
 */
export async function findEpoch(
  db: Queryable,
  { publicUrl, seen }: { publicUrl: string; seen: SeenIntent | null },
): Promise<{ epoch: Epoch; isItself: boolean; isRemembered: boolean } | undefined> {
  const rows = await query<Epoch & { isItself: boolean; isRemembered: boolean }>(db)`
    SELECT e.epoch, d.restore_noticed_at IS NOT NULL AS "isNoticed", ${isItself} AS "isItself",
           ${isKnown(seen?.intentId ?? null)} AS "isRemembered"
      FROM books_epoch e JOIN deployment d USING (public_url) WHERE e.public_url = ${publicUrl}`;
  const [row] = rows;
  return row && { epoch: row, isItself: row.isItself, isRemembered: row.isRemembered };
}

/** The marks of the epoch's row and of the database, part by part. */
export async function readMarks(
  tx: Queryable,
  { publicUrl, seen }: { publicUrl: string; seen: SeenIntent | null },
): Promise<Marks> {
  const [row] = await query<Marks>(tx)`
    SELECT string_to_array(e.mark, '/') AS stored, string_to_array(${markOf(sql`e.xmin`)}, '/') AS read,
           ${waits} AS "waitsForStandby", ${isKnown(seen?.intentId ?? null)} AS "isRemembered"
      FROM deployment d LEFT JOIN books_epoch e USING (public_url) WHERE d.public_url = ${publicUrl}`;
  if (!row) throw new Error(`no deployment at ${publicUrl}`);
  return row;
}

/** Locks the deployment, so that instances begin epochs one after another. */
export async function lockDeployment(tx: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(tx)`SELECT FROM deployment WHERE public_url = ${publicUrl} FOR UPDATE`;
}

/** The newest payment of the books; `before` leaves out those made since a restore. */
const newestIntent = (before: Date | null) => sql`
  (SELECT max(created_at) FROM payment_intent
    WHERE created_at < coalesce(${before?.toISOString() ?? null}::timestamptz, 'infinity'))`;

/**
 * Stores up to when the books are complete for each account looked at in the ending epoch: until its look or the newest
 * payment, whichever is later. Never beyond the present, where a node whose clock was ahead may have put either: a later
 * restore would look back less far than it must.
 */
export async function storeCertainty(
  tx: Queryable,
  { publicUrl, before }: { publicUrl: string; before: Date | null },
): Promise<void> {
  await query(tx)`
    UPDATE account_look l
       SET complete_until = least(engine_now(), greatest(l.complete_until, l.looked_at, ${newestIntent(before)}))
      FROM books_epoch e
     WHERE e.public_url = ${publicUrl} AND l.public_url = e.public_url AND l.epoch = e.epoch`;
}

/** Gives an address that is new to these books what is certain at the others. */
export async function copyCertainty(tx: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(tx)`
    INSERT INTO account_look (public_url, merchant_account_id, complete_until)
    SELECT ${publicUrl}, l.merchant_account_id,
           max(least(engine_now(), CASE WHEN l.epoch = e.epoch
             THEN greatest(l.complete_until, l.looked_at, ${newestIntent(null)}) ELSE l.complete_until END))
      FROM account_look l LEFT JOIN books_epoch e USING (public_url)
     WHERE l.public_url <> ${publicUrl} GROUP BY l.merchant_account_id
    ON CONFLICT DO NOTHING`;
}

/** Begins an epoch: every account is closed until its list has been looked at. */
export async function storeEpoch(tx: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(tx)`
    INSERT INTO books_epoch (public_url, epoch, mark)
    VALUES (${publicUrl}, gen_random_uuid(), ${markOf(sql`pg_current_xact_id()::xid`)})
    ON CONFLICT (public_url) DO UPDATE SET epoch = excluded.epoch, mark = excluded.mark`;
  // Restart comparisons in progress: what they have read so far may lack what was lost since.
  await query(tx)`
    UPDATE deployment SET restore_noticed_at = engine_now()
     WHERE public_url = ${publicUrl} AND restore_noticed_at IS NOT NULL`;
  await query(tx)`
    UPDATE account_look SET unread_since = engine_now()
     WHERE public_url = ${publicUrl} AND unread_since IS NOT NULL`;
}

/** The identifying marks that this server hides; without them some restores are noticed later. */
export async function listUnreadMarks(db: Queryable): Promise<string[]> {
  return onlyRow(await query<{ unread: string[] }>(db)`SELECT unread FROM database_marks()`).unread;
}

export async function findNewestIntent(db: Queryable): Promise<SeenIntent | undefined> {
  const [row] = await query<SeenIntent>(db)`
    SELECT id AS "intentId", extract(epoch FROM created_at)::float8 * 1000 AS "createdAtMilliseconds"
      FROM payment_intent ORDER BY created_at DESC, id DESC LIMIT 1`;
  return row;
}

/** Whether this cluster acknowledges no commit before a standby has it. */
export async function waitsForStandby(db: Queryable): Promise<boolean> {
  return onlyRow(await query<{ waits: boolean }>(db)`SELECT ${waits} AS waits`).waits;
}

export async function listOrderPrefixes(db: Queryable): Promise<string[]> {
  const rows = await query<{ prefix: string }>(db)`
    SELECT order_prefix || '-' AS prefix FROM deployment`;
  return rows.map(({ prefix }) => prefix);
}
