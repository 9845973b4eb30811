import { type SQL, sql } from 'drizzle-orm';

/**
 * Books money that an office received, once per change of it. `changes` are rows of `id`, `version` and
 * `received_cents`, negative if the office takes money back. The version makes each change a separate source.
 */
export const bookPaidElsewhere = (changes: SQL): SQL => sql`
  INSERT INTO ledger_entry (invoice_id, account, direction, amount_cents, reason, source_id)
  SELECT c.id, entry.account, entry.direction, abs(c.received_cents), 'paid-elsewhere',
         format('office:%s:%s', c.id, c.version)
    FROM ${changes} c
   CROSS JOIN LATERAL (VALUES
     ('office', CASE WHEN c.received_cents > 0 THEN 'debit' ELSE 'credit' END),
     ('receivable', CASE WHEN c.received_cents > 0 THEN 'credit' ELSE 'debit' END)) AS entry (account, direction)
   WHERE c.received_cents <> 0`;
