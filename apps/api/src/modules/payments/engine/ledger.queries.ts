import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import { partsOf } from '../../../db/statements/line-sums.queries.ts';

/**
 * Books accepted charges, given as a table: debits the card with the line's total and credits the receivable with
 * invoice and tax; services, their tax and tips have their own accounts. A credit to the payer is a debit there. Entries
 * carry the instant of the acceptance, as the shares do, so that the two never fall on different days.
 */
export const bookingOf = (charges: SQL): SQL => sql`
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason, franchise_id, created_at)
    SELECT a.charge_id, a.invoice_id, part.account,
           CASE WHEN part.credit_cents > 0 THEN 'credit' ELSE 'debit' END, abs(part.credit_cents), 'payment',
           i.franchise_id, c.accepted_at
      FROM ${charges} c
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
     CROSS JOIN LATERAL (VALUES
       ('card', -(${partsOf('a')})),
       ('receivable', a.invoice_cents + a.tax_cents),
       ('services', a.services_cents),
       ('services-tax', a.services_tax_cents),
       ('tips', a.tip_cents)) AS part (account, credit_cents)
     WHERE part.credit_cents <> 0`;

/** Reverses the entries of a charge that could not be collected. */
export async function bookReversal(tx: Queryable, { chargeId }: { chargeId: string }): Promise<void> {
  await query(tx)`
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT charge_id, invoice_id, account,
           CASE direction WHEN 'debit' THEN 'credit' ELSE 'debit' END, amount_cents, 'reversal'
      FROM ledger_entry WHERE charge_id = ${chargeId} AND reason = 'payment'`;
}
