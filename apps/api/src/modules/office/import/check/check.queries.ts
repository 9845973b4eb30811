import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { bystandersOf, REACHED } from './bystanders.queries.ts';
import { inWrittenOrder, PLANNED } from './plan.queries.ts';
import type { RowOfBooks } from './present-row.ts';
import { OFFICE_AMOUNT, PLACES_OF_INVOICE, ROW_OF_BOOKS, statedOf } from './row-view.queries.ts';

/** The cash overpaid once the office asks this amount, less credits. */
const overpaidBy = (amount: SQL) => sql`
  greatest(0, coalesce(r.paid_elsewhere_cents, i.paid_elsewhere_cents, 0) + coalesce(i.paid_cents, 0)
              - coalesce(credited_amount(${amount}, i.credit_basis_cents, i.credited_cents), ${amount})
              - coalesce(i.credits_left_cents, 0))`;

/** Plans what the import would do with each row, in a table private to this connection. */
export async function planImport(connection: Queryable): Promise<void> {
  await inWrittenOrder(
    connection,
    () => query(connection)`
    CREATE TEMPORARY TABLE import_plan AS
    WITH ${PLANNED.with}
    SELECT r.line, r.franchise_id, r.work_order_number, ${REACHED}, ${OFFICE_AMOUNT} AS before_cents,
           CASE WHEN i.id IS NULL THEN 'created' WHEN ${PLANNED.changes} THEN 'updated' ELSE 'unchanged' END AS kind,
           ${overpaidBy(sql`r.amount_cents`)} AS overpaid_cents,
           coalesce(overpaid_cash(i), 0) AS overpaid_before_cents,
           coalesce(r.paid_elsewhere_cents, i.paid_elsewhere_cents, 0) AS paid_elsewhere_cents,
           fw.franchise_name, fw.time_zone, fw.stored_name, fw.stored_zone, cw.customer_name, cw.customer_email,
           lw.description, lw.address_line1, lw.city, lw.state, lw.zip_code
      FROM ${PLANNED.from}`,
  );
  // Without statistics, the planner expects many changed customers and places, and reads all invoices.
  await query(connection)`ANALYZE import_plan`;
}

export type PlannedFranchise = {
  franchiseId: number;
  created: number;
  updated: number;
  unchanged: number;
  beforeCents: number;
  afterCents: number;
  before: { name: string | null; timeZone: string | null };
  after: { name: string; timeZone: string };
};

export async function sumPlan(connection: Queryable): Promise<PlannedFranchise[]> {
  return query<PlannedFranchise>(connection)`
    SELECT p.franchise_id AS "franchiseId",
           (count(*) FILTER (WHERE p.kind = 'created'))::integer AS created,
           (count(*) FILTER (WHERE p.kind = 'updated'))::integer AS updated,
           (count(*) FILTER (WHERE p.kind = 'unchanged'))::integer AS unchanged,
           coalesce(sum(p.before_cents), 0)::bigint AS "beforeCents", sum(r.amount_cents)::bigint AS "afterCents",
           json_build_object('name', p.stored_name, 'timeZone', p.stored_zone) AS before,
           json_build_object('name', p.franchise_name, 'timeZone', p.time_zone) AS after
      FROM import_plan p JOIN import_row r ON r.line = p.line
     GROUP BY p.franchise_id, p.stored_name, p.stored_zone, p.franchise_name, p.time_zone
     ORDER BY p.franchise_id`;
}

export async function listPlannedOverpaid(
  connection: Queryable,
): Promise<{ franchiseId: number; workOrderNumber: number; overpaidCents: number }[]> {
  return query<Awaited<ReturnType<typeof listPlannedOverpaid>>[number]>(connection)`
    SELECT franchise_id AS "franchiseId", work_order_number AS "workOrderNumber", overpaid_cents AS "overpaidCents"
      FROM import_plan WHERE overpaid_cents > overpaid_before_cents
     ORDER BY kind = 'updated', franchise_id, work_order_number`;
}

export type PlannedChange = {
  /** Null for an invoice that the file doesn't mention. */
  line: number | null;
  kind: 'created' | 'updated';
  before: RowOfBooks | null;
  after: RowOfBooks;
};

/** The planned changes with the largest change of amount, field by field. */
export async function listPlannedChanges(
  connection: Queryable,
  { limit }: { limit: number },
): Promise<PlannedChange[]> {
  return query<PlannedChange>(connection)`
    WITH largest AS MATERIALIZED (
      SELECT p.*, abs(r.amount_cents - coalesce(p.before_cents, 0)) AS change_cents
        FROM import_plan p JOIN import_row r ON r.line = p.line
       WHERE p.kind <> 'unchanged'
       ORDER BY change_cents DESC, p.line LIMIT ${limit})
    SELECT p.line, p.kind,
           (SELECT to_json(stored) FROM (
              SELECT ${ROW_OF_BOOKS} FROM invoice i ${PLACES_OF_INVOICE} WHERE i.id = p.invoice_id) AS stored) AS before,
           (SELECT to_json(planned) FROM (
              SELECT r.franchise_id, p.franchise_name, p.time_zone, r.customer_number, p.customer_name,
                     p.customer_email, r.location_number, p.description, p.address_line1, p.city, p.state, p.zip_code,
                     r.work_order_number, ${statedOf('r')}, r.amount_cents, r.tax_cents,
                     p.paid_elsewhere_cents) AS planned) AS after
      FROM largest p JOIN import_row r ON r.line = p.line
     ORDER BY p.change_cents DESC, p.line`;
}

/** What would change about customers and places that no mentioned invoice has, as changes of one of their own invoices. */
export async function listPlannedBeside(
  connection: Queryable,
  { limit }: { limit: number },
): Promise<PlannedChange[]> {
  const wordsOn = (changed: SQL, shown: SQL) => sql`
    SELECT DISTINCT ON (${changed}) * FROM import_plan WHERE ${changed} IN (SELECT ${shown} FROM stored) ORDER BY ${changed}`;
  return query<PlannedChange>(connection)`
    WITH stored AS MATERIALIZED (
      SELECT i.id, c.id AS customer_id, l.id AS location_id,
             (SELECT to_jsonb(each) FROM (SELECT ${ROW_OF_BOOKS}) AS each) AS row
        FROM (SELECT * FROM ${bystandersOf(sql`import_plan`)} AS each ORDER BY id LIMIT ${limit}) AS bystander
        JOIN invoice i ON i.id = bystander.id ${PLACES_OF_INVOICE})
    SELECT NULL AS line, 'updated' AS kind, stored.row AS before,
           stored.row
             || CASE WHEN cw.line IS NULL THEN '{}' ELSE
                  jsonb_build_object('franchise_name', cw.franchise_name, 'time_zone', cw.time_zone,
                                     'customer_name', cw.customer_name, 'customer_email', cw.customer_email) END
             || CASE WHEN lw.line IS NULL THEN '{}' ELSE
                  jsonb_build_object('franchise_name', lw.franchise_name, 'time_zone', lw.time_zone,
                                     'description', lw.description, 'address_line1', lw.address_line1, 'city', lw.city,
                                     'state', lw.state, 'zip_code', lw.zip_code) END AS after
      FROM stored
      LEFT JOIN (${wordsOn(sql`changed_customer_id`, sql`customer_id`)}) AS cw ON cw.changed_customer_id = stored.customer_id
      LEFT JOIN (${wordsOn(sql`changed_location_id`, sql`location_id`)}) AS lw ON lw.changed_location_id = stored.location_id
     ORDER BY stored.id`;
}
