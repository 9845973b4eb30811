import { sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../../db/advisory-locks.ts';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';

export async function hasWordChanges(db: Queryable): Promise<boolean> {
  const rows = await query(db)`SELECT FROM word_change LIMIT 1`;
  return rows.length > 0;
}

/** Locks for the rest of the transaction. False if another instance is doing the work. */
export async function lockWords(tx: Queryable): Promise<boolean> {
  const rows = await query<{ isLocked: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.words}) AS "isLocked"`;
  return onlyRow(rows).isLocked;
}

/** Takes the newest changes first, so that fresh imports don't wait behind a backlog. */
export async function takeWordChanges(
  tx: Queryable,
  { limit }: { limit: number },
): Promise<{ taken: number; customerIds: number[] }> {
  const rows = await query<{ taken: number; customerIds: number[] }>(tx)`
    WITH taken AS (
      DELETE FROM word_change
       WHERE id = ANY(ARRAY(SELECT id FROM word_change ORDER BY id DESC LIMIT ${limit}))
      RETURNING customer_id)
    SELECT count(*)::integer AS taken, coalesce(json_agg(DISTINCT customer_id), '[]') AS "customerIds" FROM taken`;
  return onlyRow(rows);
}

/**
 * Replaces these customers' search words. Run it in a later statement than the one that took the changes: an earlier
 * snapshot may show older names.
 */
export async function replaceWords(tx: Queryable, customerIds: number[]): Promise<void> {
  const ids = sql`unnest(${listOf(customerIds, 'bigint')}) AS wanted (id)`;
  await query(tx)`
    WITH text AS (
      SELECT c.id, c.franchise_id, c.name AS value FROM ${ids} JOIN customer c ON c.id = wanted.id
      UNION ALL
      SELECT c.id, c.franchise_id, concat_ws(' ', l.description, l.address_line1, l.city, l.state, l.zip_code)
        FROM ${ids} JOIN customer c ON c.id = wanted.id JOIN location l ON l.customer_id = c.id
      UNION ALL
      SELECT c.id, c.franchise_id, concat_ws(' ', u.first_name, u.last_name)
        FROM ${ids} JOIN customer c ON c.id = wanted.id
       CROSS JOIN LATERAL (
         SELECT user_id FROM user_customer WHERE customer_id = c.id AND ended_at IS NULL
         UNION
         SELECT user_id FROM user_location
          WHERE customer_id = c.id AND linked_at IS NOT NULL AND hidden_at IS NULL) AS holder
        JOIN app_user u ON u.id = holder.user_id
    ), now AS MATERIALIZED (
      SELECT DISTINCT franchise_id, word, id AS customer_id FROM text CROSS JOIN LATERAL fold_words(value) AS word
    ), gone AS (
      DELETE FROM search_word s USING ${ids}
       WHERE s.customer_id = wanted.id
         AND NOT EXISTS (SELECT FROM now WHERE now.customer_id = s.customer_id AND now.word = s.word))
    INSERT INTO search_word (franchise_id, word, customer_id)
    SELECT franchise_id, word, customer_id FROM now
    ON CONFLICT DO NOTHING`;
}

/** Fills in keys of customers from before keys existed. An import that changes a customer sets its key itself. */
export async function fillNameKeys(tx: Queryable, customerIds: number[]): Promise<void> {
  await query(tx)`
    UPDATE customer SET name_key = fold_text(name)
     WHERE id = ANY(ARRAY(SELECT id FROM customer
                           WHERE id = ANY(${listOf(customerIds, 'bigint')}) AND name_key = ''
                             FOR NO KEY UPDATE SKIP LOCKED))`;
}
