import type { CustomerAccount } from '@brightpane/contract/office/customers';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { PAGE_ROWS } from '../lists/pages.ts';

export type CustomerLine = {
  id: number;
  franchiseId: number;
  customerNumber: number;
  name: string;
  nameKey: string;
  email: string | null;
  timeZone: string;
  locations: number;
  openCents: number;
  overdueCents: number;
  account: CustomerAccount;
};

export type CustomerPlace = { nameKey: string; id: number };

export type CustomersAsked = {
  actorId: string;
  /** Null: all franchises. */
  franchiseIds: readonly number[] | null;
  account: CustomerAccount | null;
  /** Customers that a search matches, one list per token; null without a search. */
  chosen: readonly (readonly number[])[] | null;
  after: CustomerPlace | null;
};

/** Written so that Postgres probes for one row instead of collecting all of them first. */
const isThere = (of: SQL) => sql`coalesce((SELECT true ${of} LIMIT 1), false)`;

/** Whether anybody sees the customer's locations, or is invited to. */
const accountOf = sql`
  CASE WHEN ${isThere(sql`FROM user_customer uc WHERE uc.customer_id = c.id AND uc.ended_at IS NULL`)}
         OR ${isThere(sql`
              FROM user_location ul JOIN location own ON own.id = ul.location_id AND own.customer_id = c.id
             WHERE ul.customer_id = c.id AND ul.linked_at IS NOT NULL AND ul.hidden_at IS NULL`)}
       THEN 'active'
       WHEN ${isThere(sql`
              FROM invitation t WHERE t.customer_id = c.id AND t.accepted_at IS NULL AND t.withdrawn_at IS NULL
               AND t.expires_at > (SELECT engine_now())`)}
       THEN 'invited' ELSE 'none' END`;

export const customerLineColumns = sql`
  c.id, c.franchise_id AS "franchiseId", c.number AS "customerNumber", c.name, c.name_key AS "nameKey", c.email,
  f.time_zone AS "timeZone", (SELECT count(*) FROM location own WHERE own.customer_id = c.id)::integer AS locations,
  owed.open_cents AS "openCents", owed.overdue_cents AS "overdueCents", ${accountOf} AS account`;

/** Franchise f of customer c, and what c owes: at its locations, and at those since passed to other customers. */
export const placesOfCustomer = sql`
  JOIN franchise f ON f.id = c.franchise_id
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(open.balance_cents), 0)::bigint AS open_cents,
          coalesce(sum(open.balance_cents)
            FILTER (WHERE open.due_date < ((SELECT engine_now()) AT TIME ZONE f.time_zone)::date), 0)::bigint
            AS overdue_cents
     FROM (SELECT i.balance_cents, i.due_date FROM location own JOIN invoice i ON i.location_id = own.id
            WHERE own.customer_id = c.id AND i.balance_cents > 0 AND i.former_customer_id IS NULL
           UNION ALL
           SELECT i.balance_cents, i.due_date FROM invoice i
            WHERE i.former_customer_id = c.id AND i.balance_cents > 0) AS open) AS owed`;

export const seesCustomer = (actorId: string) => sql`
  EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${actorId} AND v.franchise_id = c.franchise_id)`;

const byName = sql`ORDER BY c.name_key, c.id`;

/** A page of the list, plus one row if there is another page. */
export async function selectCustomerPage(
  db: Queryable,
  asked: CustomersAsked,
  { most }: { most: number },
): Promise<CustomerLine[]> {
  const ofAccount = asked.account === null ? sql`true` : sql`${accountOf} = ${asked.account}`;
  return query<CustomerLine>(db)`
    SELECT ${customerLineColumns}
      FROM (SELECT c.* FROM (${candidates(asked, most)}) AS c
             WHERE ${seesCustomer(asked.actorId)} AND ${ofAccount}
             ${byName} LIMIT ${PAGE_ROWS + 1}) AS c ${placesOfCustomer}
     ${byName}`;
}

/** The last row that a page looks at, if it reached its limit. */
export async function findLastCustomer(
  db: Queryable,
  asked: CustomersAsked,
  { most }: { most: number },
): Promise<CustomerPlace | undefined> {
  if (asked.chosen || asked.account === null) return undefined;
  const [row] = await query<CustomerPlace>(db)`
    SELECT c.name_key AS "nameKey", c.id FROM (${candidates(asked, most)}) AS c
     WHERE ${seesCustomer(asked.actorId)} ${byName} OFFSET ${most - 1} LIMIT 1`;
  return row;
}

function candidates({ franchiseIds, chosen, account, after }: CustomersAsked, bound: number): SQL {
  const most = account === null ? PAGE_ROWS + 1 : bound;
  const behind = after ? sql`(c.name_key, c.id) > (${after.nameKey}, ${after.id}::bigint)` : sql`true`;
  if (chosen) {
    const each = chosen.map((ids) => sql`c.id = ANY(${listOf(ids, 'bigint')})`);
    const ofOffices =
      franchiseIds === null ? sql`true` : sql`c.franchise_id = ANY(${listOf(franchiseIds, 'integer')})`;
    return sql`SELECT c.* FROM customer c WHERE ${sql.join(each, sql` AND `)} AND ${ofOffices} AND ${behind}`;
  }
  const along = (ofFranchise: SQL) => sql`
    SELECT c.* FROM customer c WHERE ${ofFranchise} AND ${behind} ${byName} LIMIT ${most}`;
  if (franchiseIds === null) return along(sql`true`);
  if (franchiseIds.length === 0) return sql`SELECT c.* FROM customer c WHERE false`;
  const each = franchiseIds.map((id) => sql`(${along(sql`c.franchise_id = ${id}`)})`);
  return each.length === 1
    ? along(sql`c.franchise_id = ${franchiseIds[0]}`)
    : sql`SELECT c.* FROM (${sql.join(each, sql` UNION ALL `)}) AS c ${byName} LIMIT ${most}`;
}
