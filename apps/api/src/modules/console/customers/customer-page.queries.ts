import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import {
  type InvoiceLine,
  invoiceLineColumns,
  placesOfInvoice,
  seenBy,
} from '../invoices/invoice-row.queries.ts';
import {
  type CustomerLine,
  customerLineColumns,
  placesOfCustomer,
  seesCustomer,
} from './customer-list.queries.ts';

export type CustomerNumbers = { franchiseId: number; customerNumber: number };

export type CustomerPageRow = Omit<CustomerLine, 'nameKey'> & { franchiseName: string };

export async function findOfficeCustomer(
  db: Queryable,
  { actorId, franchiseId, customerNumber }: CustomerNumbers & { actorId: string },
): Promise<CustomerPageRow | undefined> {
  const [row] = await query<CustomerPageRow>(db)`
    SELECT ${customerLineColumns}, f.name AS "franchiseName"
      FROM customer c ${placesOfCustomer}
     WHERE c.franchise_id = ${franchiseId} AND c.number = ${customerNumber} AND ${seesCustomer(actorId)}`;
  return row;
}

type Of = { actorId: string; customerId: number };

export type CustomerLocation = {
  locationNumber: number;
  description: string;
  address: string;
  city: string;
  state: string;
  zipCode: string;
  openCents: number;
};

/** More than anybody reads. */
const MOST_LOCATIONS = 500;

export async function selectCustomerLocations(
  db: Queryable,
  { actorId, customerId }: Of,
): Promise<CustomerLocation[]> {
  return query<CustomerLocation>(db)`
    SELECT l.number AS "locationNumber", l.description, l.address_line1 AS address, l.city, l.state,
           l.zip_code AS "zipCode",
           (SELECT coalesce(sum(i.balance_cents), 0)::bigint FROM invoice i
             WHERE i.location_id = l.id AND i.balance_cents > 0 AND i.former_customer_id IS NULL) AS "openCents"
      FROM location l
      JOIN visible_franchise v ON v.franchise_id = l.franchise_id AND v.actor_id = ${actorId}
     WHERE l.customer_id = ${customerId}
     ORDER BY lower(l.description), l.number LIMIT ${MOST_LOCATIONS}`;
}

/** Open invoices first, by due day, then the newest work. */
export async function selectCustomerInvoices(
  db: Queryable,
  { actorId, customerId, limit }: Of & { limit: number },
): Promise<InvoiceLine[]> {
  return query<InvoiceLine>(db)`
    SELECT ${invoiceLineColumns}
      FROM (SELECT i.* FROM location own JOIN invoice i ON i.location_id = own.id
             WHERE own.customer_id = ${customerId} AND i.former_customer_id IS NULL
            UNION ALL
            SELECT i.* FROM invoice i WHERE i.former_customer_id = ${customerId}) AS i ${placesOfInvoice}
     WHERE ${seenBy(actorId)}
     ORDER BY (i.balance_cents = 0), CASE WHEN i.balance_cents > 0 THEN coalesce(i.due_date, 'infinity') END,
              i.work_order_number DESC
     LIMIT ${limit}`;
}

export type Person = OfficeCustomer['people'][number];

/** The links through which people see a customer's locations: by invitation, or by the three numbers of one. */
const linksTo = (customerId: number) => sql`
  (SELECT user_id, created_at AS since, true AS is_invited FROM user_customer
    WHERE customer_id = ${customerId} AND ended_at IS NULL
   UNION ALL
   SELECT ul.user_id, ul.linked_at, false
     FROM user_location ul JOIN location l ON l.id = ul.location_id AND l.customer_id = ul.customer_id
    WHERE ul.customer_id = ${customerId} AND ul.linked_at IS NOT NULL AND ul.hidden_at IS NULL) AS link`;

const isSeen = ({ actorId, customerId }: Of) => sql`
  EXISTS (SELECT FROM customer c JOIN visible_franchise v ON v.franchise_id = c.franchise_id
           WHERE c.id = ${customerId} AND v.actor_id = ${actorId})`;

/** One of those who see the customer's locations. */
export async function findLinkedPerson(
  db: Queryable,
  { userId, ...of }: Of & { userId: string },
): Promise<Pick<Person, 'email' | 'isActive' | 'isConfirmed'> | undefined> {
  const [row] = await query<Pick<Person, 'email' | 'isActive' | 'isConfirmed'>>(db)`
    SELECT u.email, u.active AS "isActive", u.email_confirmed_at IS NOT NULL AS "isConfirmed"
      FROM app_user u
     WHERE u.id = ${userId} AND ${isSeen(of)}
       AND EXISTS (SELECT FROM ${linksTo(of.customerId)} WHERE link.user_id = u.id)`;
  return row;
}

export async function selectPeople(db: Queryable, of: Of): Promise<Person[]> {
  return query<Person>(db)`
    SELECT u.id AS "userId", concat_ws(' ', u.first_name, u.last_name) AS name, u.email,
           CASE WHEN bool_or(link.is_invited) THEN 'invitation' ELSE 'numbers' END AS "linkedBy",
           ${instantText(sql`min(link.since)`)} AS since, u.email_confirmed_at IS NOT NULL AS "isConfirmed",
           u.active AS "isActive",
           (SELECT ${instantText(sql`max(k.seen_at)`)} FROM known_address k WHERE k.user_id = u.id) AS "lastSignInAt"
      FROM ${linksTo(of.customerId)}
      JOIN app_user u ON u.id = link.user_id
     WHERE ${isSeen(of)}
     GROUP BY u.id
     ORDER BY lower(u.last_name), lower(u.first_name), u.id`;
}

export type OfficeInvitation = OfficeCustomer['invitations'][number];

export async function selectInvitations(
  db: Queryable,
  { actorId, customerId, now }: Of & { now: Date },
): Promise<OfficeInvitation[]> {
  return query<OfficeInvitation>(db)`
    SELECT t.id AS "invitationId", t.email, ${instantText(sql`t.created_at`)} AS "sentAt",
           ${instantText(sql`t.expires_at`)} AS "expiresAt",
           CASE WHEN t.accepted_at IS NOT NULL THEN 'accepted' WHEN t.withdrawn_at IS NOT NULL THEN 'withdrawn'
                WHEN t.expires_at <= ${now.toISOString()}::timestamptz THEN 'expired' ELSE 'pending' END AS state
      FROM invitation t
      JOIN customer c ON c.id = t.customer_id
      JOIN visible_franchise v ON v.franchise_id = c.franchise_id AND v.actor_id = ${actorId}
     WHERE t.customer_id = ${customerId}
     ORDER BY t.created_at DESC, t.id`;
}
