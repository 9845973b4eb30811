import type { InvoiceFilter } from '@brightpane/contract/office/invoices';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { PAGE_ROWS } from '../lists/pages.ts';
import type { VisibleOffice } from '../lists/visible-offices.queries.ts';
import type { ZoneDays } from '../lists/zone-days.ts';
import {
  type InvoiceLine,
  invoiceLineColumns,
  isOverpaid,
  placesOfInvoice,
  seenBy,
  statusOf,
  todayThere,
} from './invoice-row.queries.ts';
import type { InvoiceSearch } from './invoice-search.queries.ts';

/** Where a page begins: the sort keys of the row before it. */
export type InvoicePlace = { due: string; id: number } | { workOrderNumber: number; franchiseId: number };

export type InvoicesAsked = {
  actorId: string;
  offices: readonly VisibleOffice[];
  /** Null: all franchises, if the caller sees too many to query one by one. */
  franchiseIds: readonly number[] | null;
  status: InvoiceFilter | null;
  days: readonly ZoneDays[];
  search: InvoiceSearch;
  after: InvoicePlace | null;
};

/** Invoices with money due sort by due day, all others by number. */
export const isByDue = (status: InvoiceFilter | null) => status === 'open' || status === 'overdue';

const due = sql`coalesce(i.due_date, 'infinity')`;
const orderOf = (status: InvoiceFilter | null) =>
  isByDue(status) ? sql`${due}, i.id` : sql`i.work_order_number DESC, i.franchise_id DESC`;

/** A page of the list, plus one row if there is another page. */
export async function selectInvoicePage(
  db: Queryable,
  asked: InvoicesAsked,
  { most }: { most: number },
): Promise<InvoiceLine[]> {
  return query<InvoiceLine>(db)`
    SELECT ${invoiceLineColumns}
      FROM (${candidates(asked, most)}) AS i ${placesOfInvoice}
     WHERE ${wanted(asked)}
     ORDER BY ${orderOf(asked.status)} LIMIT ${PAGE_ROWS + 1}`;
}

/** An export's statement: everything that matches, in the list's order. */
export const exportedInvoices = (asked: InvoicesAsked): SQL => sql`
  SELECT ${invoiceLineColumns}
    FROM (${candidates({ ...asked, after: null }, null)}) AS i ${placesOfInvoice}
   WHERE ${wanted(asked)}
   ORDER BY ${orderOf(asked.status)}`;

/** The last row that a page looks at, if it reached its limit; the next page continues after it. */
export async function findLastCandidate(
  db: Queryable,
  asked: InvoicesAsked,
  { most }: { most: number },
): Promise<
  { due: string; id: number; workOrderNumber: number; franchiseId: number; day: string | null } | undefined
> {
  if (asked.search.chosen) return undefined;
  const [row] = await query<{
    due: string;
    id: number;
    workOrderNumber: number;
    franchiseId: number;
    day: string | null;
  }>(db)`
    SELECT ${due}::text AS due, i.id, i.work_order_number AS "workOrderNumber", i.franchise_id AS "franchiseId",
           ${isByDue(asked.status) ? sql`i.due_date` : sql`coalesce(i.completed_date, i.due_date)`} AS day
      FROM (${candidates(asked, most)}) AS i
     WHERE ${seenBy(asked.actorId)}
     ORDER BY ${orderOf(asked.status)} OFFSET ${most - 1} LIMIT 1`;
  return row;
}

/** Candidates in the list's order, read along an index; at most `bound`, if given. */
function candidates({ search, ...asked }: InvoicesAsked, bound: number | null): SQL {
  const { status, franchiseIds } = asked;
  if (search.chosen) {
    return sql`SELECT i.* FROM invoice i
                WHERE i.id IN (${search.chosen}) AND ${ofStatus(status)} AND ${behind(asked, null)}`;
  }
  const most = bound === null ? sql`` : sql`ORDER BY ${orderOf(status)} LIMIT ${bound}`;
  const along = (franchiseId: number | null) => sql`
    SELECT i.* FROM invoice i
     WHERE ${franchiseId === null ? sql`true` : sql`i.franchise_id = ${franchiseId}`}
       AND ${ofStatus(status)} AND ${dueWithin(asked)} AND ${behind(asked, franchiseId)} ${most}`;
  if (franchiseIds === null) return along(null);
  if (franchiseIds.length === 0) return sql`SELECT i.* FROM invoice i WHERE false`;
  const each = franchiseIds.map((franchiseId) => sql`(${along(franchiseId)})`);
  return each.length === 1
    ? along(franchiseIds[0] ?? 0)
    : sql`SELECT i.* FROM (${sql.join(each, sql` UNION ALL `)}) AS i ${most}`;
}

/** Must match the partial indexes. */
function ofStatus(status: InvoiceFilter | null): SQL {
  if (isByDue(status)) return sql`i.balance_cents > 0`;
  return status === 'overpaid' ? isOverpaid : sql`true`;
}

/** Narrows by due day as far as the index allows; some time zone may be a day ahead. */
function dueWithin({ status, days, offices }: Pick<InvoicesAsked, 'status' | 'days' | 'offices'>): SQL {
  if (!isByDue(status)) return sql`true`;
  const bounds: SQL[] = [];
  const froms = days.map(({ from }) => from);
  const tos = days.map(({ to }) => to);
  if (froms.length > 0 && froms.every((from) => from !== null))
    bounds.push(sql`${due} >= ${froms.sort()[0]}::date`);
  if (tos.length > 0 && tos.every((to) => to !== null))
    bounds.push(sql`${due} <= ${tos.sort().at(-1)}::date`);
  if (status === 'overdue') {
    const latest =
      offices
        .map(({ today }) => today)
        .sort()
        .at(-1) ?? '-infinity';
    bounds.push(sql`${due} < ${latest}::date`);
  }
  return bounds.length > 0 ? sql.join(bounds, sql` AND `) : sql`true`;
}

function behind({ status, after }: Pick<InvoicesAsked, 'status' | 'after'>, franchiseId: number | null): SQL {
  if (!after) return sql`true`;
  if ('due' in after) return sql`(${due}, i.id) > (${after.due}::date, ${after.id}::bigint)`;
  if (isByDue(status)) return sql`true`;
  if (franchiseId === null) {
    return sql`(i.work_order_number, i.franchise_id) < (${after.workOrderNumber}::bigint, ${after.franchiseId}::integer)`;
  }
  return franchiseId < after.franchiseId
    ? sql`i.work_order_number <= ${after.workOrderNumber}`
    : sql`i.work_order_number < ${after.workOrderNumber}`;
}

/** The conditions on a row. */
function wanted({ actorId, franchiseIds, status, days, search }: InvoicesAsked): SQL {
  const conditions = [seenBy(actorId), ...search.fits];
  if (franchiseIds !== null) conditions.push(sql`i.franchise_id = ANY(${listOf(franchiseIds, 'integer')})`);
  if (status === 'overdue') conditions.push(sql`i.due_date < ${todayThere}`);
  if (status === 'paid') conditions.push(sql`${statusOf} = 'paid'`);
  const day = isByDue(status) ? sql`i.due_date` : sql`i.completed_date`;
  const bounded = days.filter(({ from, to }) => from !== null || to !== null);
  if (bounded.length > 0) {
    const zones = bounded.map(
      ({ timeZone, from, to }) => sql`
        (f.time_zone = ${timeZone} AND ${day} >= coalesce(${from}::date, '-infinity')
         AND ${day} <= coalesce(${to}::date, 'infinity'))`,
    );
    conditions.push(sql`(${sql.join(zones, sql` OR `)})`);
  }
  return sql.join(conditions, sql` AND `);
}
