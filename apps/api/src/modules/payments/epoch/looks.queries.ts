import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { isAhead } from '../../../db/clock/ahead.queries.ts';
import { query } from '../../../db/query.ts';
import { mayHaveTaken } from './epoch.queries.ts';

export type AccountToLook = {
  accountId: number;
  isCurrent: boolean;
  /** It wasn't looked at in this epoch; otherwise an earlier look is confirmed. */
  isClosed: boolean;
  replacedAtMilliseconds: number | null;
  /** Up to here the books are complete. */
  completeUntilMilliseconds: number;
  /** How far back the look that confirms an earlier one reads, by the list's own clock. */
  confirmBackMilliseconds: number | null;
  /**
   * A restore ended without this account, or another one of its owner: the provider refused its keys. Its list is compared
   * in full before it opens.
   */
  unreadSinceMilliseconds: number | null;
};

/** How far back to read an account that these books never looked at: longer than an invoice stays open. */
const NEVER_LOOKED_DAYS = 90;
/** A list is asked for at every turn of the lane until it failed this often, then less and less. */
const EAGER_ATTEMPTS = 5;
/** How long a look keeps other instances from reading the same list; renewed with each page. */
const LOOK_SECONDS = 10;
/** Longer waits are for listings that aren't urgent: a closed account may be read earlier. */
const LONGEST_WAIT_SECONDS = 300;
/** After this long, what the provider doesn't list won't appear any more. */
export const LISTED_WITHIN_SECONDS = 15 * 60;

/**
 * A payer's look respects the back-off. The lane comes only every 15 seconds, so its first attempts ignore it; it also
 * confirms looks.
 */
type Patience = 'payer' | 'task';

/** Whether account look `l` may begin. A wait longer than any is began before the engine's clock was set back. */
const isToLook = ({ epoch, patience }: { epoch: string; patience: Patience }) => {
  const isDue = sql`(coalesce(l.next_try_at <= engine_now(), true) OR ${isAhead('l.next_try_at', LONGEST_WAIT_SECONDS)}
                     OR l.looking_epoch <> ${epoch}::uuid)`;
  const isToConfirm = sql`(l.confirm_at <= engine_now() OR ${isAhead('l.confirm_at', LISTED_WITHIN_SECONDS)})`;
  return patience === 'payer'
    ? sql`(l.epoch IS DISTINCT FROM ${epoch}::uuid AND ${isDue})`
    : sql`((l.epoch IS DISTINCT FROM ${epoch}::uuid AND (l.attempts BETWEEN 1 AND ${EAGER_ATTEMPTS - 1} OR ${isDue}))
           OR (l.epoch = ${epoch}::uuid AND ${isToConfirm} AND ${isDue}))`;
};

/**
 * Whether another instance is looking for this epoch, or the look goes on in a moment; after a failed one nobody waits.
 */
const isUnderWay = (epoch: string) => sql`
  (l.epoch IS DISTINCT FROM ${epoch}::uuid AND l.attempts = 0 AND coalesce(l.looking_epoch = ${epoch}::uuid, true)
   AND l.next_try_at <= (SELECT engine_now()) + make_interval(secs => ${LOOK_SECONDS}))`;

/** Since when an account of the owner of `m` is unread: new keys may reach the same one. */
const unreadOfOwner = sql`
  (SELECT min(u.unread_since) FROM account_look u JOIN merchant_account o ON o.id = u.merchant_account_id
    WHERE u.public_url = d.public_url AND o.franchise_id IS NOT DISTINCT FROM m.franchise_id)`;

/**
 * Accounts whose lists weren't looked at in this epoch: those of these franchises and the portal, or all. A payer also
 * waits for looks under way elsewhere.
 */
export async function listAccountsToLook(
  db: Queryable,
  {
    publicUrl,
    epoch,
    franchiseIds,
    patience,
  }: { publicUrl: string; epoch: string; franchiseIds: number[] | null; patience: Patience },
): Promise<AccountToLook[]> {
  return query<AccountToLook>(db)`
    SELECT m.id AS "accountId", m.replaced_at IS NULL AS "isCurrent",
           l.epoch IS DISTINCT FROM ${epoch}::uuid AS "isClosed",
           extract(epoch FROM m.replaced_at)::float8 * 1000 AS "replacedAtMilliseconds",
           extract(epoch FROM least(d.compare_since, coalesce(l.complete_until,
             engine_now() - make_interval(days => ${NEVER_LOOKED_DAYS}))))::float8 * 1000 AS "completeUntilMilliseconds",
           extract(epoch FROM l.confirm_back)::float8 * 1000 AS "confirmBackMilliseconds",
           extract(epoch FROM CASE WHEN l.unread_since IS NOT NULL THEN l.unread_since
                                   WHEN l.looked_at IS NULL THEN ${unreadOfOwner} END)::float8 * 1000
             AS "unreadSinceMilliseconds"
      FROM merchant_account m JOIN deployment d ON d.public_url = ${publicUrl}
      LEFT JOIN account_look l ON l.public_url = d.public_url AND l.merchant_account_id = m.id
     WHERE ${franchiseIds === null ? sql`true` : mayHaveTaken(franchiseIds)}
       AND (${isToLook({ epoch, patience })} ${patience === 'payer' ? sql`OR ${isUnderWay(epoch)}` : sql``})
     ORDER BY m.id`;
}

type Look = { publicUrl: string; accountId: number; epoch: string };

/**
 * Takes the look at an account's list, if it may begin. All instances spend one listing budget, so only one of them
 * reads; if it dies, another takes over.
 */
export async function leaseLook(
  db: Queryable,
  { publicUrl, accountId, epoch, patience }: Look & { patience: Patience },
): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO account_look AS l (public_url, merchant_account_id, looking_epoch, next_try_at)
    SELECT e.public_url, ${accountId}::bigint, e.epoch, engine_now() + make_interval(secs => ${LOOK_SECONDS})
      FROM books_epoch e WHERE e.public_url = ${publicUrl} AND e.epoch = ${epoch}::uuid
    ON CONFLICT (public_url, merchant_account_id) DO UPDATE
      SET looking_epoch = excluded.looking_epoch, next_try_at = excluded.next_try_at
     WHERE ${isToLook({ epoch, patience })}
    RETURNING l.merchant_account_id`;
  return rows.length > 0;
}

/** Renews the lease, unless a look of another epoch has taken it. */
export async function renewLook(db: Queryable, { publicUrl, accountId, epoch }: Look): Promise<void> {
  await query(db)`
    UPDATE account_look SET next_try_at = engine_now() + make_interval(secs => ${LOOK_SECONDS})
     WHERE public_url = ${publicUrl} AND merchant_account_id = ${accountId} AND looking_epoch = ${epoch}::uuid`;
}

export async function isLookUnderWay(db: Queryable, { publicUrl, accountId, epoch }: Look): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM account_look l
     WHERE l.public_url = ${publicUrl} AND l.merchant_account_id = ${accountId} AND ${isUnderWay(epoch)}`;
  return rows.length > 0;
}

/**
 * Opens an account for this epoch, unless another one has begun meanwhile. A second look confirms it once late rows
 * are listed. It also covers the look of an epoch that ended unconfirmed.
 */
export async function storeLook(
  db: Queryable,
  { publicUrl, accountId, epoch, confirmBack }: Look & { confirmBack: Date },
): Promise<void> {
  await query(db)`
    INSERT INTO account_look (public_url, merchant_account_id, epoch, looked_at, confirm_at, confirm_back)
    SELECT e.public_url, ${accountId}::bigint, e.epoch, engine_now(),
           engine_now() + make_interval(secs => ${LISTED_WITHIN_SECONDS}), ${confirmBack.toISOString()}::timestamptz
      FROM books_epoch e WHERE e.public_url = ${publicUrl} AND e.epoch = ${epoch}::uuid
    ON CONFLICT (public_url, merchant_account_id) DO UPDATE
      SET epoch = excluded.epoch, looked_at = excluded.looked_at, attempts = 0,
          looking_epoch = NULL, next_try_at = NULL, unread_since = NULL,
          confirm_at = CASE WHEN account_look.epoch = excluded.epoch THEN NULL ELSE excluded.confirm_at END,
          confirm_back = CASE WHEN account_look.epoch = excluded.epoch THEN NULL
                              ELSE least(account_look.confirm_back, excluded.confirm_back) END`;
}

/**
 * Leaves an account that can't be read out of the restore: it stays closed by itself until its list was compared, back to
 * what was certain when the restore was noticed.
 */
export async function storeUnread(
  db: Queryable,
  { publicUrl, accountId, completeUntil }: { publicUrl: string; accountId: number; completeUntil: Date },
): Promise<void> {
  await query(db)`
    INSERT INTO account_look (public_url, merchant_account_id, unread_since, complete_until)
    VALUES (${publicUrl}, ${accountId}, engine_now(), ${completeUntil.toISOString()}::timestamptz)
    ON CONFLICT (public_url, merchant_account_id) DO UPDATE
      SET unread_since = coalesce(account_look.unread_since, excluded.unread_since),
          complete_until = excluded.complete_until`;
}

/** Continues a list read in parts once the listing budget allows; doesn't count as a failed attempt. */
export async function postponeLook(
  db: Queryable,
  { publicUrl, accountId, inSeconds }: { publicUrl: string; accountId: number; inSeconds: number },
): Promise<void> {
  await query(db)`
    INSERT INTO account_look (public_url, merchant_account_id, next_try_at)
    VALUES (${publicUrl}, ${accountId},
            engine_now() + make_interval(secs => ${Math.min(inSeconds, LONGEST_WAIT_SECONDS)}))
    ON CONFLICT (public_url, merchant_account_id) DO UPDATE
      SET attempts = 0, looking_epoch = NULL, next_try_at = excluded.next_try_at`;
}

/** Retries an unreadable list after 5, 10, 20 seconds and so on, up to five minutes. */
export async function storeFailedLook(
  db: Queryable,
  { publicUrl, accountId }: { publicUrl: string; accountId: number },
): Promise<void> {
  await query(db)`
    INSERT INTO account_look (public_url, merchant_account_id, attempts, next_try_at)
    VALUES (${publicUrl}, ${accountId}, 1, engine_now() + interval '5 seconds')
    ON CONFLICT (public_url, merchant_account_id) DO UPDATE
      SET attempts = account_look.attempts + 1, looking_epoch = NULL,
          next_try_at = engine_now() + make_interval(secs => least(${LONGEST_WAIT_SECONDS}, 5 * 2 ^ least(account_look.attempts, 10)))`;
}
