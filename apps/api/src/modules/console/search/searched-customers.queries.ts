import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { startingWith } from '../../../db/like.ts';
import { listOf, query } from '../../../db/query.ts';

/** From here on a word matches too many customers to start with. */
const MOST_OF_A_WORD = 1_000;
/** Up to this many franchises are searched one by one; more, all at once. */
const MOST_FRANCHISES = 20;

/** Whose search it is, and the franchises of the list that they see. */
export type Scope = { actorId: string; offices: readonly { franchiseId: number }[] };
type Seen = Pick<Scope, 'actorId'> & { franchiseIds: readonly number[] | null };

/** The franchises to search; null if there are too many to list. */
export const searchedIn = ({ actorId, offices }: Scope): Seen => ({
  actorId,
  franchiseIds: offices.length > MOST_FRANCHISES ? null : offices.map(({ franchiseId }) => franchiseId),
});

const among = ({ franchiseIds }: Seen, franchise: SQL) =>
  franchiseIds === null ? sql`true` : sql`${franchise} = ANY(${listOf(franchiseIds, 'integer')})`;

const isVisible = ({ actorId }: Seen, franchise: SQL) => sql`
  EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${actorId} AND v.franchise_id = ${franchise})`;

/** Prefix match as a range, up to the highest string with this prefix. */
const beginsWith = (column: SQL, beginning: SQL) =>
  sql`${column} >= ${beginning} AND ${column} < ${beginning} || chr(1114111)`;

const folded = (word: string) => sql`left(fold_text(${word}), 40)`;

/**
 * Customers with a word that begins so, up to a bound. Read along the index, whatever Postgres believes of the word: of a
 * frequent one it would else read the table.
 */
const firstOfWord = (scope: Seen, word: string) => sql`
  SELECT s.customer_id FROM (
    SELECT s.customer_id, s.franchise_id FROM search_word s
     WHERE ${beginsWith(sql`s.word`, folded(word))} AND ${among(scope, sql`s.franchise_id`)}
     ORDER BY s.word) AS s
   WHERE ${isVisible(scope, sql`s.franchise_id`)}
   LIMIT ${MOST_OF_A_WORD}`;

/** Counts customers with a word of each prefix, up to a bound. */
function countWords(db: Queryable, scope: Seen, words: readonly string[]) {
  const counts = words.map(
    (word) => sql`
    SELECT ${word}::text AS word, (SELECT count(*)::integer FROM (
      ${firstOfWord(scope, word)}) AS found) AS count`,
  );
  return query<{ word: string; count: number }>(db)`${sql.join(counts, sql` UNION ALL `)}`;
}

/** The first customers, by name, whose words match all of these prefixes; `isCut`: of some that were looked at. */
export async function findCustomersByWords(
  db: Queryable,
  { words, limit, ...scope }: Seen & { words: readonly string[]; limit: number },
): Promise<{ ids: number[]; isCut: boolean }> {
  if (words.length === 0) return { ids: [], isCut: false };
  const counted = await countWords(db, scope, words);
  const [rarest, ...others] = counted.toSorted((one, other) => one.count - other.count);
  if (!rarest || rarest.count === 0) return { ids: [], isCut: false };
  const hasOthers = others.map(
    ({ word }) => sql`
      AND EXISTS (SELECT FROM search_word o
                   WHERE o.customer_id = s.customer_id AND ${beginsWith(sql`o.word`, folded(word))})`,
  );
  const rows = await query<{ id: number }>(db)`
    SELECT c.id FROM (
      SELECT DISTINCT s.customer_id FROM (${firstOfWord(scope, rarest.word)}) AS s
       WHERE true ${sql.join(hasOthers)}) AS found
      JOIN customer c ON c.id = found.customer_id
     ORDER BY c.name_key, c.id LIMIT ${limit}`;
  return { ids: rows.map(({ id }) => id), isCut: rarest.count === MOST_OF_A_WORD };
}

/** The first customers, by name, whose address or linked account's address has this prefix. */
export async function findCustomersByEmail(
  db: Queryable,
  { prefix, limit, ...scope }: Seen & { prefix: string; limit: number },
): Promise<number[]> {
  const pattern = startingWith(prefix.toLowerCase());
  const rows = await query<{ id: number }>(db)`
    SELECT c.id FROM (
      SELECT id FROM customer WHERE lower(email) LIKE ${pattern}
      UNION
      SELECT link.customer_id FROM app_user u
       CROSS JOIN LATERAL (
         SELECT customer_id FROM user_customer WHERE user_id = u.id AND ended_at IS NULL
         UNION
         SELECT customer_id FROM user_location
          WHERE user_id = u.id AND linked_at IS NOT NULL AND hidden_at IS NULL) AS link
       WHERE u.email LIKE ${pattern}) AS found
      JOIN customer c ON c.id = found.id
     WHERE ${among(scope, sql`c.franchise_id`)} AND ${isVisible(scope, sql`c.franchise_id`)}
     ORDER BY c.name_key, c.id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
