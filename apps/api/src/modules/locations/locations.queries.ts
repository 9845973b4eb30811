import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { isAcceptedSince } from '../terms/terms.queries.ts';

export type LocationRow = {
  locationId: number;
  description: string;
  addressLine1: string;
  city: string;
  state: string;
  legalAccepted: boolean;
};

/** A user's locations, with the wire's field names. */
export async function selectLocations(
  db: Queryable,
  { userId, askAgainSince }: { userId: string; askAgainSince: string | null },
): Promise<LocationRow[]> {
  return query<LocationRow>(db, { plan: 'once' })`
    SELECT l.id AS "locationId", l.description, l.address_line1 AS "addressLine1", l.city, l.state,
           EXISTS (SELECT FROM user_location ul
                    WHERE ul.user_id = v.user_id AND ul.location_id = l.id
                      AND ${isAcceptedSince(askAgainSince)}) AS "legalAccepted"
      FROM visible_location v JOIN location l ON l.id = v.location_id
     WHERE v.user_id = ${userId}
     ORDER BY lower(l.description), l.address_line1, l.id`;
}

type UserLocation = { userId: string; locationId: number };

export async function isLocationVisible(
  db: Queryable,
  { userId, locationId }: UserLocation,
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM visible_location WHERE user_id = ${userId} AND location_id = ${locationId}`;
  return rows.length > 0;
}

/**
 * Links an invoice's location to the user, under its present customer. False if it was linked already, even by a
 * concurrent request, or if the invoice now belongs to a former customer.
 */
export async function insertUserLocation(
  tx: Queryable,
  { userId, documentId }: { userId: string; documentId: string },
): Promise<boolean> {
  const rows = await query(tx)`
    INSERT INTO user_location (user_id, location_id, customer_id, linked_at)
    SELECT ${userId}, l.id, l.customer_id, engine_now()
      FROM invoice i JOIN location l ON l.id = i.location_id
     WHERE i.document_id = ${documentId} AND i.former_customer_id IS NULL
    ON CONFLICT (user_id, location_id) DO UPDATE SET
      customer_id = excluded.customer_id, linked_at = excluded.linked_at, hidden_at = NULL
     WHERE user_location.linked_at IS NULL OR user_location.hidden_at IS NOT NULL
        OR user_location.customer_id <> excluded.customer_id
    RETURNING location_id`;
  return rows.length > 0;
}

/**
 * Hides a location from the user; terms accepted for it stay accepted. Drops a link from the time of another customer.
 */
export async function hideUserLocation(
  db: Queryable,
  { userId, locationId }: UserLocation,
): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO user_location (user_id, location_id, customer_id, hidden_at)
    SELECT v.user_id, v.location_id, l.customer_id, engine_now()
      FROM visible_location v JOIN location l ON l.id = v.location_id
     WHERE v.user_id = ${userId} AND v.location_id = ${locationId}
    ON CONFLICT (user_id, location_id) DO UPDATE SET
      hidden_at = excluded.hidden_at, customer_id = excluded.customer_id,
      linked_at = CASE WHEN user_location.customer_id = excluded.customer_id THEN user_location.linked_at END
    RETURNING location_id`;
  return rows.length > 0;
}
