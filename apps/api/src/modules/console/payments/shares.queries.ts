import type { Parts } from '@brightpane/money/parts';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, onlyRow, query, unnest } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import { isMade, partsOf } from '../../../db/statements/line-sums.queries.ts';
import { zonedTime } from '../../../franchise-day.ts';
import { creditsToLookAt } from '../../payments/engine/credits.queries.ts';
import { FIRST_ID, LAST_ID } from '../lists/cursor-keys.ts';
import type { Reading, Term } from '../search/readings.ts';
import { readingsOf, type ShareFilters, type SharePlace } from './share-filters.ts';
import { brandKey, fits, foundBy, invoiceCustomer, isBetween, refundedOf } from './share-readings.queries.ts';

export type ShareRow = {
  paymentId: string;
  chargeId: string;
  franchiseId: number;
  timeZone: string;
  at: string;
  kind: 'guest' | 'portal';
  outcome: 'accepted' | 'declined' | 'abandoned';
  chargeState: ChargeState;
  isInReview: boolean;
  customerNumber: number;
  customerName: string;
  workOrders: number[];
  workOrderCount: number;
  brand: string | null;
  lastFour: string | null;
  amountCents: number;
  tipCents: number;
  refundedCents: number;
  reference: string | null;
  payerEmail: string | null;
};

/** `bound`: where a page stopped looking, because it looked at enough rows. Null: it saw all of them. */
export type SharePage = { rows: ShareRow[]; bound: SharePlace | null };

export async function selectShares(
  db: Queryable,
  filters: ShareFilters,
  { after, limit, most }: { after: SharePlace | null; limit: number; most: number },
): Promise<SharePage> {
  const order = inOrder(filters);
  // Without a filter every candidate matches, so a page needs no more than it shows.
  const candidates = isFiltered(filters) ? most : Math.min(most, limit);
  const rows = await query<SharePage>(db)`
    ${fittingShares(filters, { after, most: candidates })},
    page AS MATERIALIZED (SELECT * FROM fitting s ORDER BY ${order} LIMIT ${limit})
    SELECT (SELECT json_build_object('at', ${instantText(sql`b.at`)}, 'chargeId', b.charge_id, 'franchiseId', b.franchise_id)
              FROM bound b) AS bound,
           (SELECT coalesce(json_agg(json_build_object(
                     'paymentId', s.intent_id, 'chargeId', s.charge_id, 'franchiseId', s.franchise_id,
                     'timeZone', s.time_zone, 'at', s.at, 'kind', s.kind, 'outcome', s.outcome,
                     'chargeState', s.state, 'isInReview', s.is_in_review, 'customerNumber', line.customer_number,
                     'customerName', line.customer_name, 'workOrders', line.work_orders,
                     'workOrderCount', line.count, 'brand', s.brand, 'lastFour', s.last_four,
                     'amountCents', s.amount_cents, 'tipCents', s.tip_cents,
                     'refundedCents', ${refundedOf(sql`s`)}, 'reference', s.reference,
                     'payerEmail', s.payer_email) ORDER BY ${order}), '[]')
              FROM page s
             CROSS JOIN LATERAL (
               SELECT count(*) AS count, (array_agg(i.work_order_number ORDER BY i.id))[1:3] AS work_orders,
                      (array_agg(u.number ORDER BY i.id))[1] AS customer_number,
                      (array_agg(u.name ORDER BY i.id))[1] AS customer_name
                 FROM charge_allocation a
                 JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = s.franchise_id
                 JOIN location l ON l.id = i.location_id
                 JOIN customer u ON u.id = ${invoiceCustomer}
                WHERE a.charge_id = s.charge_id) AS line) AS rows`;
  return onlyRow(rows);
}

export type ShareSums = {
  count: number;
  inCents: number;
  backCents: number;
  tipCents: number;
  /** More rows existed than were looked at. */
  isBounded: boolean;
};

/** Counts the shares of the requested days, up to `most`; null if other filters apply. */
export async function countSharesOfDays(
  db: Queryable,
  filters: ShareFilters,
  { most }: { most: number },
): Promise<number | null> {
  if (asksMoreThanDays(filters)) return null;
  const rows = await query<{ count: number }>(db)`
    ${fittingShares(filters, { after: null, most })}
    SELECT count(*)::integer AS count
      FROM candidate s JOIN office o ON o.id = s.franchise_id AND s.at >= o.from_at AND s.at < o.to_at`;
  return onlyRow(rows).count;
}

/** Sums what came in and was refunded over the matching shares among at most `most` candidates. */
export async function sumShares(
  db: Queryable,
  filters: ShareFilters,
  { most }: { most: number },
): Promise<ShareSums> {
  return onlyRow(
    await query<ShareSums>(db)`
    ${fittingShares(filters, { after: null, most })}
    SELECT count(*) AS count,
           coalesce(sum(s.amount_cents) FILTER (WHERE s.outcome = 'accepted'), 0)::bigint AS "inCents",
           coalesce(sum(CASE WHEN s.state = 'capture_failed' THEN s.amount_cents
                             WHEN s.outcome = 'accepted' THEN ${refundedOf(sql`s`)} END), 0)::bigint AS "backCents",
           coalesce(sum(s.tip_cents) FILTER (WHERE s.outcome = 'accepted'), 0)::bigint AS "tipCents",
           EXISTS (SELECT FROM bound) AS "isBounded"
      FROM fitting s`,
  );
}

/** Counts undecided payments of the caller's franchises. */
export async function countUnderWay(
  db: Queryable,
  { actorId, franchiseId }: { actorId: string; franchiseId: number | null },
): Promise<number> {
  const rows = await query<{ count: number }>(db)`
    SELECT count(DISTINCT p.id)::integer AS count
      FROM payment_intent p
      JOIN invoice_claim claim ON claim.intent_id = p.id
      JOIN invoice i ON i.id = claim.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
     WHERE p.state = 'undecided' AND (${franchiseId}::integer IS NULL OR i.franchise_id = ${franchiseId})`;
  return onlyRow(rows).count;
}

export type ExportedLine = Parts & {
  at: string;
  timeZone: string;
  franchiseId: number;
  paymentId: string;
  orderId: string;
  reference: string | null;
  kind: 'guest' | 'portal';
  outcome: ShareRow['outcome'];
  chargeState: ChargeState;
  customerNumber: number;
  customerName: string;
  workOrderNumber: number;
  brand: string | null;
  lastFour: string | null;
  payerEmail: string | null;
  note: string | null;
  refundedCents: number;
  /** For the whole share. */
  shareCents: number;
  shareRefundedCents: number;
};

/** An export's statement: everything that matches, one row per work order, in the list's order. */
export const exportedShares = (filters: ShareFilters): SQL => sql`
  ${fittingShares(filters, { after: null, most: null })}
  SELECT ${instantText(sql`s.at`)} AS at, s.time_zone AS "timeZone", s.franchise_id AS "franchiseId",
         s.intent_id AS "paymentId", s.order_id AS "orderId", s.reference, s.kind, s.outcome, s.state AS "chargeState",
         u.number AS "customerNumber", u.name AS "customerName", i.work_order_number AS "workOrderNumber",
         s.brand, s.last_four AS "lastFour", a.invoice_cents AS "invoiceCents", a.tax_cents AS "taxCents",
         a.services_cents AS "servicesCents", a.services_tax_cents AS "servicesTaxCents", a.tip_cents AS "tipCents",
         s.payer_email AS "payerEmail", a.services_note AS note, s.amount_cents AS "shareCents",
         ${refundedOf(sql`s`)} AS "shareRefundedCents",
         coalesce((
           SELECT sum(${partsOf('b')})
             FROM refund_line b JOIN refund r ON r.id = b.refund_id AND ${isMade('r')}
            WHERE b.charge_id = a.charge_id AND b.invoice_id = a.invoice_id), 0)::bigint AS "refundedCents"
    FROM fitting s
    JOIN charge_allocation a ON a.charge_id = s.charge_id
    JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = s.franchise_id
    JOIN location l ON l.id = i.location_id
    JOIN customer u ON u.id = ${invoiceCustomer}
   ORDER BY ${inOrder(filters)}, i.id`;

const inOrder = ({ isOldestFirst }: Pick<ShareFilters, 'isOldestFirst'>): SQL =>
  isOldestFirst
    ? sql`s.at, s.charge_id DESC, s.franchise_id DESC`
    : sql`s.at DESC, s.charge_id, s.franchise_id`;

/**
 * Rows after a place in that order. Not a row comparison: ids are ordered against the time. The first comparison holds
 * the ids to the place's instant, and gives an index its start.
 */
function isBehind({ isOldestFirst }: ShareFilters, place: { at: SQL; chargeId: SQL; franchiseId: SQL }): SQL {
  const ids = sql`(s.charge_id, s.franchise_id)`;
  const its = sql`(${place.chargeId}, ${place.franchiseId})`;
  return isOldestFirst
    ? sql`(s.at >= ${place.at} AND (s.at > ${place.at} OR ${ids} < ${its}))`
    : sql`(s.at <= ${place.at} AND (s.at < ${place.at} OR ${ids} > ${its}))`;
}

/**
 * The common table expressions up to `fitting`:
 * - `candidate`: what the most selective index finds, at most `most` rows of each source.
 * - `bound`: the first row, in the list's order, at which a source was cut off. The next page continues there. If it is
 *   another office's row, a cursor must not reveal its ids, so `bound` moves before the row's whole instant. It stays
 *   if the page began at that instant: otherwise the next page would begin there again.
 * - `fitting`: the candidates up to `bound` that match the other filters.
 */
function fittingShares(
  filters: ShareFilters,
  { after, most }: { after: SharePlace | null; most: number | null },
): SQL {
  const { days, actorId, franchiseId } = filters;
  const order = inOrder(filters);
  const from = sources(filters, { after, most });
  return sql`
    WITH office AS MATERIALIZED (
      SELECT f.id, f.time_zone,
             coalesce(day.first::timestamp AT TIME ZONE f.time_zone, '-infinity') AS from_at,
             coalesce((day.last + 1)::timestamp AT TIME ZONE f.time_zone, 'infinity') AS to_at
        FROM visible_franchise v
        JOIN franchise f ON f.id = v.franchise_id
        LEFT JOIN ${unnest(days, { timeZone: 'text', from: 'date', to: 'date' })} AS day (zone, first, last)
               ON day.zone = f.time_zone
       WHERE v.actor_id = ${actorId} AND (${franchiseId}::integer IS NULL OR f.id = ${franchiseId})
    ), candidate AS MATERIALIZED (
      ${sql.join(
        from.map(
          (source) => sql`(SELECT s.*, row_number() OVER (ORDER BY ${order}) AS nth FROM (${source}) AS s)`,
        ),
        sql` UNION ALL `,
      )}
    ), bound AS MATERIALIZED (
      SELECT s.at, CASE WHEN bounded.keeps_ids THEN s.charge_id ELSE ${filters.isOldestFirst ? LAST_ID : FIRST_ID}::uuid END AS charge_id,
             CASE WHEN bounded.keeps_ids THEN s.franchise_id ELSE 1 END AS franchise_id
        FROM (SELECT s.* FROM candidate s WHERE s.nth = ${most}::bigint ORDER BY ${order} LIMIT 1) AS s
       CROSS JOIN LATERAL (
         SELECT EXISTS (SELECT FROM office o WHERE o.id = s.franchise_id)
                OR (s.at = ${after?.at ?? null}::timestamptz) IS TRUE AS keeps_ids) AS bounded
    ), fitting AS (
      SELECT s.*, o.time_zone, c.state, c.order_id, c.reference, c.is_in_review, p.kind, p.payer_email
        FROM (SELECT DISTINCT ON (s.charge_id, s.franchise_id) s.* FROM candidate s
               WHERE NOT EXISTS (
                 SELECT FROM bound b
                  WHERE ${isBehind(filters, { at: sql`b.at`, chargeId: sql`b.charge_id`, franchiseId: sql`b.franchise_id` })})
             ) AS s
        JOIN office o ON o.id = s.franchise_id AND s.at >= o.from_at AND s.at < o.to_at
       -- OFFSET 0 looks rows up one by one on their indexes: the planner can't know how few candidates there are.
       CROSS JOIN LATERAL (
         SELECT state, order_id, reference, review_since IS NOT NULL AS is_in_review FROM charge
          WHERE id = s.charge_id OFFSET 0) AS c
       CROSS JOIN LATERAL (
         SELECT kind, payer_email FROM payment_intent WHERE id = s.intent_id OFFSET 0) AS p
       WHERE ${conditions(filters)}
    )`;
}

/** The opposite of `isUnclear`: what the list shows as Review is found neither as declined nor as not charged. */
const isClear = sql`c.state NOT IN ('unresolved', 'conflict')`;

const SHARE_STATES = {
  paid: sql`s.outcome = 'accepted' AND c.state IN ('accepted', 'captured') AND ${refundedOf(sql`s`)} = 0`,
  declined: sql`s.outcome = 'declined' AND ${isClear}`,
  'not-charged': sql`s.outcome = 'abandoned' AND ${isClear}`,
  failed: sql`c.state IN ('reversing', 'capture_failed')`,
  review: sql`c.is_in_review`,
  refunded: sql`s.outcome = 'accepted' AND ${refundedOf(sql`s`)} = s.amount_cents`,
  'partly-refunded': sql`s.outcome = 'accepted' AND ${refundedOf(sql`s`)} BETWEEN 1 AND s.amount_cents - 1`,
  // No share's state yet: disputes have no screens (docs/decisions/0072).
  disputed: sql`false`,
  credit: sql`EXISTS (
    SELECT FROM ${creditsToLookAt} JOIN invoice i ON i.id = u.invoice_id AND i.franchise_id = s.franchise_id
     WHERE u.charge_id = s.charge_id)`,
};

function conditions({ state, method, minAmount, maxAmount, terms, customers }: ShareFilters): SQL {
  const all: SQL[] = [sql`true`];
  if (state) all.push(SHARE_STATES[state]);
  if (method) all.push(sql`s.brand IS NOT NULL AND ${brandKey} = ${method}`);
  if (minAmount !== undefined || maxAmount !== undefined) all.push(isBetween(minAmount, maxAmount));
  for (const { readings } of terms) {
    all.push(
      sql`(${sql.join(
        readings.map((reading) => fits(reading, customers)),
        sql` OR `,
      )})`,
    );
  }
  return sql.join(all, sql` AND `);
}

/** Whether anything is filtered besides the position in the list. */
const isFiltered = (filters: ShareFilters): boolean =>
  asksMoreThanDays(filters) ||
  filters.terms.length > 0 ||
  filters.days.some(({ from, to }) => from !== null || to !== null);

const asksMoreThanDays = ({ state, method, minAmount, maxAmount, terms }: ShareFilters): boolean =>
  [state, method, minAmount, maxAmount].some((each) => each !== undefined) ||
  terms.some(({ readings }) => readings.some(({ kind }) => kind !== 'days'));

/** Kinds of reading, most selective first. */
const FINDING: readonly Reading['kind'][] = [
  'payment',
  'order',
  'reference',
  'work-order',
  'last-four',
  'email',
  'words',
];

/** Sources of candidates, each in the list's order and with at most `most` rows. */
function sources(filters: ShareFilters, options: { after: SharePlace | null; most: number | null }): SQL[] {
  const { terms, customers, state, isOfAll } = filters;
  const { after, most } = options;
  const isAfterCursor = after
    ? isBehind(filters, {
        at: sql`${after.at}::timestamptz`,
        chargeId: sql`${after.chargeId}::uuid`,
        franchiseId: sql`${after.franchiseId}::integer`,
      })
    : sql`true`;
  const inTime = sql`${isWithin(filters.days)} AND ${isAfterCursor}`;
  const end = sql`ORDER BY ${inOrder(filters)} LIMIT ${most}::bigint`;
  /** `found` ends with a WHERE. */
  const indexed = (found: SQL) => sql`SELECT s.* FROM ${found} AND ${inTime} ${end}`;

  const finder = findingTerm(terms);
  if (finder) return finder.readings.flatMap((each) => foundBy(each, customers) ?? []).map(indexed);
  if (state === 'failed' || state === 'review') {
    const which = state === 'failed' ? SHARE_STATES.failed : sql`c.review_since IS NOT NULL`;
    return [indexed(sql`charge c JOIN payment_share s ON s.charge_id = c.id WHERE ${which}`)];
  }
  if (state === 'credit') {
    return [indexed(sql`payment_share s WHERE s.charge_id IN (SELECT u.charge_id FROM ${creditsToLookAt})`)];
  }
  /** Reads the index office by office, so that no row of an office that the caller doesn't see is looked at. */
  const perOffice = (condition: SQL) => sql`
    SELECT each.* FROM office o
     CROSS JOIN LATERAL (
       SELECT s.* FROM payment_share s
        WHERE s.franchise_id = o.id AND s.at >= o.from_at AND s.at < o.to_at AND ${isAfterCursor} AND ${condition} ${end}) AS each
     ORDER BY ${inEach(filters)} LIMIT ${most}::bigint`;
  const exact = exactAmount(filters);
  if (exact !== null) return [perOffice(sql`s.amount_cents = ${exact}`)];
  return [isOfAll ? indexed(sql`payment_share s WHERE true`) : perOffice(sql`true`)];
}

const HOUR_MILLISECONDS = 3_600_000;

/**
 * Whether a share falls within the requested days in any time zone. The plain values, an hour wider on both sides, give
 * the planner an estimate; each office's exact days are checked later.
 */
function isWithin(days: ShareFilters['days']): SQL {
  const all: SQL[] = [sql`true`];
  const bound = (day: string, time: string, timeZone: string, hours: number) =>
    new Date(Date.parse(zonedTime(day, time, timeZone)) + hours * HOUR_MILLISECONDS).toISOString();
  const froms = days.map(({ from, timeZone }) => from && bound(from, '00:00:00', timeZone, -1));
  const tos = days.map(({ to, timeZone }) => to && bound(to, '23:59:59', timeZone, 1));
  const [first] = froms.toSorted();
  const last = tos.toSorted().at(-1);
  if (first && !froms.includes(null))
    all.push(sql`s.at >= ${first}::timestamptz AND s.at >= (SELECT min(from_at) FROM office)`);
  if (last && !tos.includes(null))
    all.push(sql`s.at < ${last}::timestamptz AND s.at < (SELECT max(to_at) FROM office)`);
  return sql.join(all, sql` AND `);
}

const inEach = ({ isOldestFirst }: ShareFilters): SQL =>
  isOldestFirst
    ? sql`each.at, each.charge_id DESC, each.franchise_id DESC`
    : sql`each.at DESC, each.charge_id, each.franchise_id`;

function findingTerm(terms: readonly Term[]): Term | undefined {
  const rank = ({ readings }: Term) => {
    const ranks = readings.map(({ kind }) => FINDING.indexOf(kind));
    return ranks.includes(-1) ? Number.POSITIVE_INFINITY : Math.min(...ranks);
  };
  const [best] = terms.toSorted((one, other) => rank(one) - rank(other));
  return best && rank(best) < Number.POSITIVE_INFINITY ? best : undefined;
}

function exactAmount({ terms, minAmount, maxAmount }: ShareFilters): number | null {
  if (minAmount !== undefined && minAmount === maxAmount) return minAmount;
  const [amount] = readingsOf(terms, 'amount');
  return amount?.way === 'exact' ? amount.fromCents : null;
}
