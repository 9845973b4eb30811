import type { Parts } from '@brightpane/money/parts';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import { partsOf } from '../../../db/statements/line-sums.queries.ts';
import { type LineRefund, refundedOfLine } from './refunds.queries.ts';

/** Whose payments to read, and which. */
export type AskedLines = {
  userId: string;
  /** In each franchise's time zone; null: the current year there. */
  year: number | null;
  locationId: number | null;
};

/** The last payment of a page, as a cursor. */
export type PaymentPlace = { at: string; paymentId: string };

export type LineRow = Parts & {
  paymentId: string;
  /** With its UTC offset. */
  at: string;
  /** The sort key; for the account's own payments, when they were decided. */
  placedAt: string;
  by: 'you' | 'someone-else' | 'office';
  kind: 'guest' | 'portal' | null;
  chargeState: ChargeState | null;
  timeZone: string;
  franchiseId: number;
  franchiseName: string;
  workOrderNumber: number;
  documentId: string;
  service: string;
  /** Null if the location isn't the account's now. */
  locationId: number | null;
  description: string | null;
  addressLine1: string | null;
  city: string | null;
  state: string | null;
  totalCents: number;
  refundedCents: number;
  refunds: LineRefund[];
  note: string | null;
  cardBrand: string | null;
  maskedCard: string | null;
  reference: string | null;
};

/** A page of payments, newest first, each with its matching lines, and the years that have any. */
export async function selectPaymentPage(
  db: Queryable,
  asked: AskedLines,
  { after, limit }: { after: PaymentPlace | null; limit: number },
): Promise<{ rows: LineRow[]; years: number[] }> {
  const isAfter = (place: SQL) =>
    after ? sql`${place} < (${after.at}::timestamptz, ${after.paymentId}::text)` : sql`true`;
  // Own payments are read in list order, and no further than the page needs. Comparing `decided_at` alone follows from
  // `isAfter`, but lets the index begin at the cursor.
  const newest = sql`
    (SELECT p.id, p.decided_at AS placed_at
       FROM payment_intent p CROSS JOIN LATERAL (${lineOf(yearOf(asked))}) AS fits
      WHERE ${isOwn(asked.userId)} AND ${isDecidedIn(aboutYears(asked))}
        AND ${after ? sql`p.decided_at <= ${after.at}::timestamptz` : sql`true`}
        AND ${isAfter(sql`(p.decided_at, p.id::text COLLATE "C")`)}
      ORDER BY p.decided_at DESC, p.id DESC LIMIT ${limit})
    UNION ALL
    SELECT * FROM adopted`;
  const found = await query<{ rows: LineRow[]; years: number[] }>(db)`
    ${fittingLines(asked, newest)},
    -- Ranked, not joined: the planner can't estimate how many lines match, and would scan all of them for each payment.
    page AS MATERIALIZED (
      SELECT * FROM (
        SELECT each.*, dense_rank() OVER (ORDER BY latest DESC, payment_id COLLATE "C" DESC) AS nth
          FROM (SELECT fitting.*, max(placed_at) OVER (PARTITION BY payment_id) AS latest FROM fitting) AS each
         WHERE ${isAfter(sql`(latest, payment_id COLLATE "C")`)}
        ) AS ranked
       WHERE nth <= ${limit})
    SELECT ${detailed(sql`page line WHERE true`)} AS rows,
           (SELECT coalesce(json_agg(year ORDER BY year DESC), '[]') FROM (${years(asked)}) AS each) AS years`;
  return onlyRow(found);
}

/** Everything that the account may see of one payment, from any year. Empty: no such payment. */
export async function selectPaymentLines(
  db: Queryable,
  { userId, paymentId }: { userId: string; paymentId: string },
): Promise<LineRow[]> {
  const found = await query<{ rows: LineRow[] }>(db)`
    ${allLines({ userId, paymentId })}
    SELECT ${detailed(sql`line WHERE true`)} AS rows`;
  return onlyRow(found).rows;
}

export type StatementSums = {
  franchiseId: number;
  franchiseName: string;
  count: number;
  paidByYouCents: number;
  paidByOthersCents: number;
  refundedCents: number;
};

/** The paid lines' totals per franchise, and the lines themselves if there are at most `mostRows`. */
export async function selectStatement(
  db: Queryable,
  asked: AskedLines,
  { mostRows }: { mostRows: number | null },
): Promise<{ rows: LineRow[]; sums: StatementSums[] }> {
  const found = await query<{ rows: LineRow[]; sums: StatementSums[] }>(db)`
    ${fittingLines(asked, sql`SELECT * FROM own p WHERE ${isDecidedIn(aboutYears(asked))}`)},
    paid AS MATERIALIZED (SELECT * FROM fitting WHERE is_paid)
    SELECT ${detailed(sql`paid line
              WHERE ${mostRows}::bigint IS NULL OR (SELECT count(*) FROM paid) <= ${mostRows}::bigint`)} AS rows,
           (SELECT coalesce(json_agg(each ORDER BY each."franchiseName", each."franchiseId"), '[]')
              FROM (SELECT f.id AS "franchiseId", f.name AS "franchiseName", count(*) AS count,
                           coalesce(sum(line.total_cents) FILTER (WHERE line.by = 'you'), 0) AS "paidByYouCents",
                           coalesce(sum(line.total_cents) FILTER (WHERE line.by <> 'you'), 0) AS "paidByOthersCents",
                           sum(refunded.cents) AS "refundedCents"
                      FROM paid line
                      ${refundedOfLine}
                      JOIN franchise f ON f.id = line.franchise_id
                     GROUP BY f.id, f.name) AS each) AS sums`;
  return onlyRow(found);
}

/** The lines of an account's own payments, newest first; each row's `line` is a `LineRow`. */
export const ownPaymentLines = (userId: string): SQL => sql`
  ${allLines({ userId, isOwnOnly: true })}
  SELECT row_to_json(each) AS line FROM (${details(sql`line WHERE true`)}) AS each ORDER BY ${newestFirst}`;

/** The account that paid while signed in, or that adopted a guest's payment. */
export async function findPayer(db: Queryable, paymentId: string): Promise<string | undefined> {
  const [row] = await query<{ userId: string }>(db)`
    SELECT coalesce(p.user_id, a.user_id) AS "userId"
      FROM payment_intent p LEFT JOIN adopted_payment a ON a.intent_id = p.id
     WHERE p.id = ${paymentId} AND p.state = 'accepted' AND coalesce(p.user_id, a.user_id) IS NOT NULL`;
  return row?.userId;
}

/**
 * The lines that an account may see: of its own payments anywhere; and, at locations visible to it now, of other
 * people's payments and of what the office received. A failed payment shows only to its own payer.
 * `chosen` picks the payments of `own` to read; with a location, only `seen` invoices there are read.
 */
function allLines({
  userId,
  paymentId,
  locationId = null,
  isOwnOnly = false,
  chosen = sql`SELECT * FROM own`,
}: {
  userId: string;
  paymentId?: string;
  locationId?: number | null;
  isOwnOnly?: boolean;
  chosen?: SQL;
}): SQL {
  // 'office-' and a number: money that an office received itself, by the id of its ledger entry.
  const isOffice = paymentId?.startsWith('office-') ?? false;
  const isWanted = (ours: SQL, office: SQL) =>
    paymentId === undefined ? sql`true` : isOffice ? office : ours;
  const intentId = isOffice ? null : paymentId;
  const entryId = isOffice ? paymentId?.slice('office-'.length) : null;
  const total = partsOf('a');
  return sql`
    WITH visible AS MATERIALIZED (SELECT location_id FROM visible_location WHERE user_id = ${userId}),
    adopted AS MATERIALIZED (
      SELECT p.id, p.decided_at
        FROM adopted_payment a JOIN payment_intent p ON p.id = a.intent_id
       WHERE a.user_id = ${userId} AND ${isWanted(sql`a.intent_id = ${intentId}::uuid`, sql`false`)}),
    own AS MATERIALIZED (
      SELECT p.id, p.decided_at FROM payment_intent p
       WHERE ${isOwn(userId)} AND ${isWanted(sql`p.id = ${intentId}::uuid`, sql`false`)}
      UNION ALL
      SELECT * FROM adopted),
    -- Materialized to read all lines once; for a single payment, inlined to start from that payment.
    seen AS ${paymentId === undefined ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (
      SELECT i.id AS invoice_id, i.franchise_id, i.location_id
        FROM visible v JOIN invoice i
          ON ${isOwnOnly ? sql`false` : sql`i.location_id = v.location_id AND i.former_customer_id IS NULL`}
       WHERE ${locationId === null ? sql`true` : sql`v.location_id = ${locationId}`}),
    chosen (id, placed_at) AS MATERIALIZED (${chosen}),
    line AS MATERIALIZED (
      SELECT chosen.id::text AS payment_id, 'you' AS by, c.accepted_at AS at, chosen.placed_at, c.id AS charge_id,
             a.invoice_id, i.franchise_id, i.location_id, i.former_customer_id IS NOT NULL AS is_former,
             charge_counts(c.state) AS is_paid, ${total} AS total_cents
        FROM chosen
        JOIN charge c ON c.intent_id = chosen.id
        JOIN charge_allocation a ON a.charge_id = c.id
        JOIN invoice i ON i.id = a.invoice_id
      UNION ALL
      SELECT c.intent_id::text, 'someone-else', c.accepted_at, c.accepted_at, c.id, seen.invoice_id, seen.franchise_id,
             seen.location_id, false, true, ${total}
        FROM seen
        JOIN charge_allocation a ON a.invoice_id = seen.invoice_id
        JOIN charge c ON c.id = a.charge_id
       WHERE charge_counts(c.state) AND NOT EXISTS (SELECT FROM own WHERE own.id = c.intent_id)
         AND ${isWanted(sql`c.intent_id = ${intentId}::uuid`, sql`false`)}
      UNION ALL
      SELECT 'office-' || e.id, 'office', e.created_at, e.created_at, NULL, seen.invoice_id, seen.franchise_id,
             seen.location_id, false, true, CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END
        FROM seen
        JOIN ledger_entry e ON e.invoice_id = seen.invoice_id
       WHERE e.charge_id IS NULL AND e.account = 'receivable' AND ${isWanted(sql`false`, sql`e.id = ${entryId}::bigint`)})`;
}

/** Payments `p` that the account made; saving a card isn't one. */
const isOwn = (userId: string): SQL =>
  sql`p.user_id = ${userId} AND p.state = 'accepted' AND p.kind <> 'card'`;

type Years = { first: SQL; last: SQL };

const only = (year: SQL): Years => ({ first: year, last: year });

/** Decided in these years, plus a margin for the time zones of franchises. */
const isDecidedIn = ({ first, last }: Years): SQL => sql`
  p.decided_at >= make_date(${first}, 1, 1)::timestamptz - interval '2 days'
  AND p.decided_at < make_date(${last} + 1, 1, 1)::timestamptz + interval '2 days'`;

/** The year of an instant in the time zone of franchise `f`. */
const yearThere = (at: SQL): SQL => sql`extract(year FROM ${at} AT TIME ZONE f.time_zone)::integer`;

const NOW = sql`(SELECT engine_now())`;

/** The requested year in the time zone of franchise `f`. */
const yearOf = ({ year }: AskedLines): SQL => (year === null ? yearThere(NOW) : sql`${year}::integer`);

/** The years that `yearOf` can be: the current one is two, for a day before and after New Year. */
const aboutYears = ({ year }: AskedLines): Years =>
  year === null
    ? { first: yearBeside(sql`- interval '1 day'`), last: yearBeside(sql`+ interval '1 day'`) }
    : only(sql`${year}::integer`);

const yearBeside = (shift: SQL): SQL => sql`extract(year FROM ${NOW} ${shift})::integer`;

/** Whether payment `p` has a line in the year. The LIMIT makes the planner start from the payment. */
const lineOf = (year: SQL): SQL => sql`
  SELECT FROM charge c
    JOIN charge_allocation a ON a.charge_id = c.id
    JOIN invoice i ON i.id = a.invoice_id
    JOIN franchise f ON f.id = i.franchise_id
   WHERE c.intent_id = p.id AND ${yearThere(sql`c.accepted_at`)} = ${year} LIMIT 1`;

/** Own payments with a line at the location. */
const CHOSEN_THERE = sql`
  SELECT * FROM own WHERE id IN (
    SELECT c.intent_id FROM seen
      JOIN charge_allocation a ON a.invoice_id = seen.invoice_id
      JOIN charge c ON c.id = a.charge_id)`;

/**
 * Common table expressions up to `dated`, the location's lines with their years, and `fitting`, those of the requested
 * year. Without a location, `chosen` picks which own payments are read.
 */
function fittingLines(asked: AskedLines, chosen: SQL): SQL {
  const { userId, locationId } = asked;
  const isEverywhere = locationId === null;
  return sql`
    ${allLines({ userId, locationId, chosen: isEverywhere ? chosen : CHOSEN_THERE })},
    dated AS MATERIALIZED (
      SELECT line.*, ${yearThere(sql`line.at`)} AS year, ${yearOf(asked)} AS wanted
        FROM line JOIN franchise f ON f.id = line.franchise_id
       WHERE ${isEverywhere ? sql`true` : sql`line.location_id = ${locationId} AND NOT line.is_former`}),
    fitting AS MATERIALIZED (SELECT * FROM dated WHERE year = wanted)`;
}

/** The years that have lines. Everywhere: own payments were read for one year only, so each other year is probed. */
const years = ({ userId, locationId }: AskedLines): SQL =>
  locationId === null
    ? sql`SELECT year FROM dated UNION ${ownYears(userId)}`
    : sql`SELECT DISTINCT year FROM dated`;

/**
 * The years of own payments, with one more at both ends: near New Year it may be another year where the franchise is. A
 * year's look stops at its first payment with a line, however many there are.
 */
const ownYears = (userId: string): SQL => sql`
  SELECT each.year
    FROM (SELECT min(p.decided_at) AS first, max(p.decided_at) AS last FROM payment_intent p
           WHERE ${isOwn(userId)}) AS span
   CROSS JOIN LATERAL generate_series(extract(year FROM first)::integer - 1, extract(year FROM last)::integer + 1)
     AS each (year)
   CROSS JOIN LATERAL (
     SELECT FROM payment_intent p CROSS JOIN LATERAL (${lineOf(sql`each.year`)}) AS fits
      WHERE ${isOwn(userId)} AND ${isDecidedIn(only(sql`each.year`))}
      ORDER BY p.decided_at DESC LIMIT 1) AS found`;

/** Lines `line` with everything shown about them, as JSON in list order. */
const detailed = (lines: SQL): SQL => sql`
  (SELECT coalesce(json_agg(each ORDER BY ${newestFirst}), '[]') FROM (${details(lines)}) AS each)`;

const newestFirst: SQL = sql`each."placedAt" DESC, each."paymentId" COLLATE "C" DESC, each."franchiseId", each."workOrderNumber"`;

const details = (lines: SQL): SQL => sql`
  SELECT line.payment_id AS "paymentId", line.at, line.placed_at AS "placedAt", line.by, p.kind, c.state AS "chargeState",
         f.time_zone AS "timeZone", f.id AS "franchiseId", f.name AS "franchiseName",
         i.work_order_number AS "workOrderNumber", i.document_id AS "documentId", i.service,
         l.id AS "locationId", l.description, l.address_line1 AS "addressLine1", l.city, l.state,
         coalesce(a.invoice_cents, line.total_cents) AS "invoiceCents", coalesce(a.tax_cents, 0) AS "taxCents",
         coalesce(a.services_cents, 0) AS "servicesCents",
         coalesce(a.services_tax_cents, 0) AS "servicesTaxCents", coalesce(a.tip_cents, 0) AS "tipCents",
         line.total_cents AS "totalCents", refunded.cents AS "refundedCents", refunded.refunds,
         for_payer.note, for_payer.card_brand AS "cardBrand", for_payer.masked_card AS "maskedCard", for_payer.reference
    FROM (SELECT * FROM ${lines}) AS line
    JOIN invoice i ON i.id = line.invoice_id
    JOIN franchise f ON f.id = i.franchise_id
    LEFT JOIN location l ON l.id = i.location_id AND i.former_customer_id IS NULL
          AND l.id = ANY (ARRAY(SELECT location_id FROM visible))
    LEFT JOIN charge c ON c.id = line.charge_id
    LEFT JOIN payment_intent p ON p.id = c.intent_id
    LEFT JOIN charge_allocation a ON a.charge_id = line.charge_id AND a.invoice_id = line.invoice_id
    ${refundedOfLine}
    -- Hide the card, reference and note of other people's payments.
    LEFT JOIN LATERAL (
      SELECT a.services_note AS note, c.card_brand, c.masked_card, c.reference
       WHERE line.by = 'you') AS for_payer ON true`;
