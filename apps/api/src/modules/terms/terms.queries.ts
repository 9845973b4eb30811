import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { listOf, query } from '../../db/query.ts';
import type { Terms } from './read-terms.ts';

/** Stores this deployment's text, so that every accepted version can be read later. */
export async function keepTermsText(db: Queryable, { version, text }: Terms): Promise<void> {
  await query(db)`
    INSERT INTO terms_text (version, body) VALUES (${version}, ${text}) ON CONFLICT DO NOTHING`;
}

/** Whether a `user_location` row `ul` holds an acceptance that still counts. */
export const isAcceptedSince = (askAgainSince: string | null) =>
  sql`ul.legal_accepted_at >= coalesce(${askAgainSince}::timestamptz, '-infinity')`;

export type AcceptedTerms = {
  /** Null for a guest. */
  userId: string | null;
  locationIds: number[];
  /** The version that the payer's page showed. */
  version: string;
  /** Acceptances before this no longer count. */
  askAgainSince: string | null;
};

/** The instant of a payment's acceptance, the same for everything accepted with it. */
const acceptedAt = (charges: SQL) => sql`(SELECT min(accepted_at) FROM ${charges} AS of_payment)`;

/**
 * Records which terms each invoice of an accepted payment rests on: those accepted now, or earlier for its location.
 * Takes its charges as a table. Runs in the accepting transaction, before `acceptForLocations` updates `user_location`.
 */
export const agreementOf = (charges: SQL, { userId, version, askAgainSince }: AcceptedTerms): SQL => sql`
    INSERT INTO terms_acceptance (intent_id, invoice_id, user_id, version, work, accepted_at)
    SELECT c.intent_id, a.invoice_id, ${userId}::uuid,
           CASE WHEN ul.location_id IS NULL THEN ${version} ELSE ul.terms_version END,
           CASE WHEN i.completed_date IS NULL THEN 'upcoming' ELSE 'completed' END,
           coalesce(ul.legal_accepted_at, ${acceptedAt(charges)})
      FROM ${charges} c
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
      LEFT JOIN user_location ul ON ul.user_id = ${userId}::uuid AND ul.location_id = i.location_id
                                AND ${isAcceptedSince(askAgainSince)}`;

/**
 * Stores that a user accepted the terms for these locations, in the transaction that accepts the payment.
 * Does nothing for a guest.
 */
export async function acceptForLocations(
  tx: Queryable,
  { intentId, userId, locationIds, version, askAgainSince }: AcceptedTerms & { intentId: string },
): Promise<void> {
  if (userId === null) return;
  await query(tx, { plan: 'once' })`
    INSERT INTO user_location AS ul (user_id, location_id, legal_accepted_at, terms_version)
    SELECT ${userId}::uuid, id, ${acceptedAt(sql`(SELECT * FROM charge WHERE intent_id = ${intentId}::uuid)`)}, ${version}
      FROM unnest(${listOf(locationIds, 'bigint')}) AS paid (id) ORDER BY id
    ON CONFLICT (user_id, location_id) DO UPDATE SET
      legal_accepted_at = excluded.legal_accepted_at, terms_version = excluded.terms_version
     WHERE (${isAcceptedSince(askAgainSince)}) IS NOT TRUE`;
}
