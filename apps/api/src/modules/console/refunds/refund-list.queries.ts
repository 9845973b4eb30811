import type { RefundFilters } from '@brightpane/contract/office/refunds';
import { keyWords } from '@brightpane/contract/office/words/actor-words';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { containing } from '../../../db/like.ts';
import { instantText, query } from '../../../db/query.ts';
import { partsOf } from '../../../db/statements/line-sums.queries.ts';
import { isLeft, needsPerson } from '../../payments/refunds/refunds-left.queries.ts';
import { FIRST_ID, LAST_ID } from '../lists/cursor-keys.ts';

/** The most requests that a page looks at to find what ended. What waits is found by its index, however old it is. */
const MOST_REQUESTS = 500;

export type RefundPlace = { at: string; id: string };
/**
 * `isEnd`: not a match, but where the page stopped looking. That is behind all of its instant, because the last refund
 * that it looked at may be another office's.
 */
type Listed = RefundPlace & { isEnd: boolean; day: string };

function fitsNeeds(needs: RefundFilters['needs']): SQL {
  switch (needs) {
    case 'approval':
      return sql`r.state = 'requested'`;
    case 'person':
      return needsPerson;
    default:
      return sql`true`;
  }
}

/** States in which a refund waits for somebody or something. They are few, and each of them has to be found. */
const WAITING = new Set<RefundFilters['state']>(['requested', 'waiting', 'sending', 'unknown', 'held']);

/** The requests a page looks at, as CTE `looked`. */
function lookAt({ state, needs, order }: RefundFilters, after: RefundPlace | null): SQL {
  const isOldest = order === 'oldest';
  const place = after
    ? sql`q.created_at ${isOldest ? sql`>=` : sql`<=`} ${after.at}::timestamptz`
    : sql`true`;
  if (needs !== undefined || WAITING.has(state)) {
    const ofState = WAITING.has(state) ? sql`r.state = ${state}` : sql`true`;
    return sql`
      looked AS MATERIALIZED (
        SELECT q.id, q.created_at, false AS is_cut
          FROM (SELECT DISTINCT request_id FROM refund r WHERE ${isLeft} AND ${ofState} AND ${fitsNeeds(needs)}) AS left_over
         CROSS JOIN LATERAL (SELECT id, created_at FROM refund_request WHERE id = left_over.request_id OFFSET 0) AS q
         WHERE ${place})`;
  }
  return sql`
    looked AS MATERIALIZED (
      SELECT q.id, q.created_at, count(*) OVER () >= ${MOST_REQUESTS} AS is_cut FROM (
        SELECT q.id, q.created_at FROM refund_request q WHERE ${place}
         -- Refunds of one instant are ordered by their own ids, so a page never ends between their requests.
         ORDER BY q.created_at ${isOldest ? sql`ASC` : sql`DESC`}
         FETCH FIRST (${MOST_REQUESTS}::bigint) ROWS WITH TIES) AS q)`;
}

/** What the list shows of a refund, and its note. Aggregates, so that Postgres looks rows up by their keys. */
function fitsSearch(search: string | undefined, { actorId }: { actorId: string }): SQL {
  if (search === undefined || search.trim() === '') return sql`true`;
  return sql`(own.work_orders @> ARRAY[${search.trim().replace(/^#/, '')}] OR q.note ILIKE ${containing(search.trim())}
              OR r.reference = ${search.trim()} OR q.intent_id::text = ${search.trim()}
              OR (SELECT bool_or(s.last_four = ${search.trim()}) FROM payment_share s WHERE s.charge_id = r.charge_id)
              OR (SELECT bool_or(strpos(u.name_key, fold_text(${search.trim()})) > 0)
                    FROM refund_line l
                    JOIN invoice i ON i.id = l.invoice_id
                    JOIN location k ON k.id = i.location_id
                    JOIN customer u ON u.id = coalesce(i.former_customer_id, k.customer_id)
                    JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
                   WHERE l.refund_id = r.id))`;
}

const fitsActor = (actor: string | undefined): SQL =>
  actor === undefined
    ? sql`true`
    : sql`(EXISTS (SELECT FROM staff s JOIN app_user u ON u.id = s.user_id
                    WHERE s.id = q.actor AND concat_ws(' ', u.first_name, u.last_name, '(' || u.email || ')') ILIKE ${containing(actor.trim())})
           OR EXISTS (SELECT FROM office_api_key k WHERE k.id = q.actor AND ${keyWords('')} || k.name ILIKE ${containing(actor.trim())}))`;

/**
 * Looks at requests from where the page begins, and returns the matching refunds, judged by the lines of the caller's
 * franchises. `lookedTo` is where it stopped looking, if there was more.
 */
export async function listRefundPage(
  db: Queryable,
  {
    actorId,
    filters,
    after,
    limit,
  }: { actorId: string; filters: RefundFilters; after: RefundPlace | null; limit: number },
): Promise<{ refundIds: RefundPlace[]; lookedTo: (RefundPlace & { day: string }) | null }> {
  const isOldest = filters.order === 'oldest';
  const direction = isOldest ? sql`ASC` : sql`DESC`;
  const beyond = isOldest ? sql`>` : sql`<`;
  const place = after
    ? sql`(q.created_at, r.id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql`true`;
  const {
    state,
    franchiseId = null,
    reason,
    from = null,
    to = null,
    minAmount = null,
    maxAmount = null,
  } = filters;
  const stored = state === 'not-made' ? 'not_made' : state;
  const rows = await query<Listed>(db)`
    WITH ${lookAt(filters, after)},
    candidate AS MATERIALIZED (
      SELECT r.id, q.created_at, row_number() OVER (ORDER BY q.created_at ${direction}, r.id ${direction}) AS place
        FROM looked AS q
       CROSS JOIN LATERAL (SELECT id FROM refund WHERE request_id = q.id OFFSET 0) AS r
       WHERE ${place}),
    judged AS (
      SELECT r.id, candidate.created_at AS instant, ${instantText(sql`candidate.created_at`)} AS at, candidate.place,
             coalesce(own.day, (candidate.created_at AT TIME ZONE 'UTC')::date)::text AS day,
             own.cents IS NOT NULL AND own.fits_days
               AND (${minAmount}::bigint IS NULL OR own.cents >= ${minAmount})
               AND (${maxAmount}::bigint IS NULL OR own.cents <= ${maxAmount})
               AND (${stored ?? null}::text IS NULL OR r.state = ${stored ?? null})
               AND (${reason ?? null}::text IS NULL OR q.reason = ${reason ?? null})
               AND ${fitsNeeds(filters.needs)} AND ${fitsSearch(filters.search, { actorId })} AND ${fitsActor(filters.actor)} AS fits
        FROM candidate
       CROSS JOIN LATERAL (SELECT * FROM refund WHERE id = candidate.id OFFSET 0) AS r
       CROSS JOIN LATERAL (SELECT * FROM refund_request WHERE id = r.request_id OFFSET 0) AS q
       CROSS JOIN LATERAL (
         SELECT sum(${partsOf('l')}) AS cents, array_agg(i.work_order_number::text) AS work_orders,
                min((q.created_at AT TIME ZONE f.time_zone)::date) AS day,
                bool_or((q.created_at AT TIME ZONE f.time_zone)::date
                  BETWEEN coalesce(${from}::date, '-infinity') AND coalesce(${to}::date, 'infinity')) AS fits_days
           FROM refund_line l
           JOIN invoice i ON i.id = l.invoice_id
           JOIN franchise f ON f.id = i.franchise_id
           JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
          WHERE l.refund_id = r.id AND (${franchiseId}::integer IS NULL OR i.franchise_id = ${franchiseId})) AS own)
    (SELECT id, at, false AS "isEnd", day, instant FROM judged WHERE fits
      ORDER BY instant ${direction}, id ${direction} LIMIT ${limit})
    UNION ALL
    (SELECT ${isOldest ? LAST_ID : FIRST_ID}::uuid, at, true, day, instant FROM judged
      WHERE place = (SELECT max(place) FROM candidate) AND (SELECT bool_or(is_cut) FROM looked))
    ORDER BY instant ${direction}, id ${direction}`;
  const end = rows.find(({ isEnd }) => isEnd);
  return { refundIds: rows.filter(({ isEnd }) => !isEnd), lookedTo: end ?? null };
}
