import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import { rowVersion } from '../../../db/statements/row-version.queries.ts';
import { auditActorName } from '../../acts/actor-names.queries.ts';

export type ListedDifference = {
  differenceId: number;
  kind: string;
  orderId: string;
  reference: string;
  amountCents: number;
  /** Changes with its amount. */
  version: number;
  /** Null: on the portal's own merchant account. */
  franchiseName: string | null;
  firstSeenAt: string;
  lastSeenAt: string;
  acknowledgedBy: string | null;
  acknowledgedAt: string | null;
  note: string | null;
};

/** A comparison may find an open one again, with another amount. */
const version = rowVersion(sql`d.amount_cents::text`);

const differenceColumns = () => sql`
  d.id AS "differenceId", d.kind, d.order_id AS "orderId", d.reference, d.amount_cents AS "amountCents", ${version} AS version,
  f.name AS "franchiseName", to_json(d.first_seen_at)#>>'{}' AS "firstSeenAt",
  to_json(d.last_seen_at)#>>'{}' AS "lastSeenAt", ${auditActorName(sql`d.acknowledged_by`)} AS "acknowledgedBy",
  to_json(d.acknowledged_at)#>>'{}' AS "acknowledgedAt", d.note`;

const ACCOUNT = sql`
  JOIN merchant_account m ON m.id = d.merchant_account_id
  LEFT JOIN franchise f ON f.id = m.franchise_id`;

/** Newest first. */
export async function listOpenDifferences(
  db: Queryable,
  { after, limit }: { after: number | null; limit: number },
): Promise<ListedDifference[]> {
  return query<ListedDifference>(db)`
    SELECT ${differenceColumns()} FROM book_difference d ${ACCOUNT}
     WHERE d.acknowledged_at IS NULL AND (${after}::bigint IS NULL OR d.id < ${after})
     ORDER BY d.id DESC LIMIT ${limit}`;
}

/** Last acknowledged first. */
export async function listAcknowledgedDifferences(
  db: Queryable,
  { after, limit }: { after: { at: string; id: number } | null; limit: number },
): Promise<ListedDifference[]> {
  return query<ListedDifference>(db)`
    SELECT ${differenceColumns()} FROM book_difference d ${ACCOUNT}
     WHERE d.acknowledged_at IS NOT NULL
       AND ${after === null ? sql`true` : sql`(d.acknowledged_at, d.id) < (${after.at}::timestamptz, ${after.id})`}
     ORDER BY d.acknowledged_at DESC, d.id DESC LIMIT ${limit}`;
}

export type LastComparison = { at: string; isComplete: boolean; differences: number };

/**
 * The last comparison of all accounts in use: since when each has been compared, and what their comparisons saw. One run may
 * have compared only some. What an account's comparison sees and when it ended are written in one brief transaction.
 */
export async function findLastComparison(db: Queryable): Promise<LastComparison | null> {
  const [row] = await query<LastComparison>(db)`
    WITH last AS (
      SELECT min(b.ended_at) AS at, bool_and(coalesce(b.is_complete, false)) AS is_complete
        FROM merchant_account m LEFT JOIN book_comparison b ON b.merchant_account_id = m.id
       WHERE m.replaced_at IS NULL)
    SELECT to_json(last.at)#>>'{}' AS at, last.is_complete AS "isComplete",
           (SELECT count(*)::integer
              FROM book_difference d JOIN book_comparison b ON b.merchant_account_id = d.merchant_account_id
             WHERE b.ended_at >= last.at AND d.last_seen_at > b.ended_at - interval '10 seconds') AS differences
      FROM last WHERE last.at IS NOT NULL`;
  return row ?? null;
}

export type AcknowledgedDifference = {
  kind: string;
  orderId: string;
  reference: string;
  amountCents: number;
};

/** Undefined if there is none, somebody else acknowledged it first, or it has another version than the given one. */
export async function markDifferenceAcknowledged(
  tx: Queryable,
  {
    differenceId,
    by,
    note,
    version: seen = null,
  }: { differenceId: number; by: string; note: string; version?: number | null | undefined },
): Promise<AcknowledgedDifference | undefined> {
  const [row] = await query<AcknowledgedDifference>(tx)`
    UPDATE book_difference d SET acknowledged_by = ${by}, acknowledged_at = engine_now(), note = ${note}
     WHERE id = ${differenceId} AND acknowledged_at IS NULL
       AND (${seen}::integer IS NULL OR ${version} = ${seen})
    RETURNING kind, order_id AS "orderId", reference, amount_cents AS "amountCents"`;
  return row;
}

export async function isDifferenceOpen(tx: Queryable, differenceId: number): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM book_difference WHERE id = ${differenceId} AND acknowledged_at IS NULL`;
  return rows.length > 0;
}
