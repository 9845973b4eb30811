import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { instantText, query } from '../../db/query.ts';
import type { adoptedPayment } from '../../db/schema/payments.ts';

const OFFER_MINUTES = 30;

/** A guest's payment and its location, both in their current state. */
export type OfferedPayment = {
  intentId: string;
  /** Accepted, not failed, and for an invoice of the location's present customer. */
  isStanding: boolean;
  isOver: boolean;
  expiresAt: string;
  /** Whether the location and its zip code are still those that the guest proved. */
  isPlaceShown: boolean;
  adoptedBy: string | null;
  workOrderNumber: number;
  documentId: string;
  locationId: number;
  zipKey: string | null;
  addressLine1: string;
  city: string;
  state: string;
  franchiseName: string;
};

export async function findOfferedPayment(
  db: Queryable,
  intentId: string,
): Promise<OfferedPayment | undefined> {
  const [row] = await query<OfferedPayment>(db)`
    SELECT p.id AS "intentId",
           p.zip_shown AND p.location_shown = l.id AND coalesce(p.zip_key_shown = l.zip_key, false) AS "isPlaceShown",
           charge_counts(c.state) AND i.former_customer_id IS NULL AS "isStanding",
           p.decided_at <= (SELECT engine_now()) - make_interval(mins => ${OFFER_MINUTES}) AS "isOver",
           ${instantText(sql`p.decided_at + make_interval(mins => ${OFFER_MINUTES})`)} AS "expiresAt",
           adopted.user_id AS "adoptedBy", i.work_order_number AS "workOrderNumber", i.document_id AS "documentId",
           l.id AS "locationId", l.zip_key AS "zipKey", l.address_line1 AS "addressLine1", l.city, l.state,
           f.name AS "franchiseName"
      FROM payment_intent p
      JOIN charge c ON c.intent_id = p.id
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
      JOIN location l ON l.id = i.location_id
      JOIN franchise f ON f.id = i.franchise_id
      LEFT JOIN adopted_payment adopted ON adopted.intent_id = p.id
     WHERE p.id = ${intentId} AND p.kind = 'guest' AND p.state = 'accepted'`;
  return row;
}

/** Spends an offer. False if the payment was adopted already, even by a concurrent request. */
export async function insertAdoption(
  tx: Queryable,
  { intentId, userId, through }: Pick<typeof adoptedPayment.$inferSelect, 'intentId' | 'userId' | 'through'>,
): Promise<boolean> {
  const made = await query(tx)`
    INSERT INTO adopted_payment (intent_id, user_id, adopted_at, through)
    VALUES (${intentId}, ${userId}, engine_now(), ${through}) ON CONFLICT DO NOTHING RETURNING intent_id`;
  return made.length > 0;
}
