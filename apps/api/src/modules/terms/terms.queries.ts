import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { executePrepared } from '../../db/statements/execute-prepared.ts';
import type { Terms } from './read-terms.ts';

/** Keeps the text that this deployment shows, so that every version that was accepted can be read again. */
export async function keepTermsText(db: Queryable, { version, text }: Terms): Promise<void> {
  await db.execute(sql`
    INSERT INTO terms_text (version, body) VALUES (${version}, ${text}) ON CONFLICT DO NOTHING`);
}

/** Whether a `user_location` row, named `ul`, holds an acceptance that still counts. */
export const isAcceptedSince = (askAgainSince: unknown) =>
  sql`ul.legal_accepted_at >= coalesce(${askAgainSince}::timestamptz, '-infinity')`;

export type AcceptedTerms = {
  /** Null for a guest. */
  userId: string | null;
  locationIds: number[];
  /** As the payer's page had it. */
  version: string;
  /** What was accepted before this counts no more. */
  askAgainSince: string | null;
};

/** When a payment was accepted: one moment for all that is accepted with it, also where statements follow each other. */
const acceptedAt = (intentId: string) =>
  sql`(SELECT min(accepted_at) FROM charge WHERE intent_id = ${intentId}::uuid)`;

/**
 * Records, in the transaction that has accepted a payment, which terms each of its invoices rests on: those accepted now,
 * or for its location before. It reads `user_location` as it was before this payment.
 */
export async function recordAcceptance(
  tx: Queryable,
  { intentId, userId, version, askAgainSince }: AcceptedTerms & { intentId: string },
): Promise<void> {
  await executePrepared(
    tx,
    sql`
    INSERT INTO terms_acceptance (intent_id, invoice_id, user_id, version, work, accepted_at)
    SELECT c.intent_id, a.invoice_id, ${userId}::uuid,
           CASE WHEN ul.location_id IS NULL THEN ${version} ELSE ul.terms_version END,
           CASE WHEN i.completed_date IS NULL THEN 'upcoming' ELSE 'completed' END,
           coalesce(ul.legal_accepted_at, ${acceptedAt(intentId)})
      FROM charge c
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
      LEFT JOIN user_location ul ON ul.user_id = ${userId}::uuid AND ul.location_id = i.location_id
                                AND ${isAcceptedSince(askAgainSince)}
     WHERE c.intent_id = ${intentId}::uuid`,
  );
}

/**
 * Remembers, in the transaction that has accepted a payment, that a user has accepted the terms for these locations. A
 * guest has none.
 */
export async function acceptForLocations(
  tx: Queryable,
  { intentId, userId, locationIds, version, askAgainSince }: AcceptedTerms & { intentId: string },
): Promise<void> {
  if (userId === null) return;
  await executePrepared(
    tx,
    sql`
    INSERT INTO user_location AS ul (user_id, location_id, legal_accepted_at, terms_version)
    SELECT ${userId}::uuid, id, ${acceptedAt(intentId)}, ${version}
      FROM unnest(${sql.param(locationIds)}::bigint[]) AS paid (id) ORDER BY id
    ON CONFLICT (user_id, location_id) DO UPDATE SET
      legal_accepted_at = excluded.legal_accepted_at, terms_version = excluded.terms_version
     WHERE (${isAcceptedSince(askAgainSince)}) IS NOT TRUE`,
  );
}
