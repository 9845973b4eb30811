import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/**
 * Books an accepted payment: debits the card with the line's total and credits the receivable with invoice and tax;
 * services, their tax and tips have their own accounts. A credit to the payer is a debit there. Entries carry the
 * instant of the acceptance, as the shares do, so that the two never fall on different days.
 */
export async function bookPayment(tx: Queryable, { intentId }: { intentId: string }): Promise<void> {
  await query(tx, { plan: 'once' })`
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason, franchise_id, created_at)
    SELECT a.charge_id, a.invoice_id, part.account,
           CASE WHEN part.credit_cents > 0 THEN 'credit' ELSE 'debit' END, abs(part.credit_cents), 'payment',
           i.franchise_id, c.accepted_at
      FROM charge_allocation a
      JOIN charge c ON c.id = a.charge_id
      JOIN invoice i ON i.id = a.invoice_id
     CROSS JOIN LATERAL (VALUES
       ('card', -(a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents)),
       ('receivable', a.invoice_cents + a.tax_cents),
       ('services', a.services_cents),
       ('services-tax', a.services_tax_cents),
       ('tips', a.tip_cents)) AS part (account, credit_cents)
     WHERE c.intent_id = ${intentId} AND part.credit_cents <> 0`;
}

/** Reverses the entries of a charge that could not be collected. */
export async function bookReversal(tx: Queryable, { chargeId }: { chargeId: string }): Promise<void> {
  await query(tx)`
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT charge_id, invoice_id, account,
           CASE direction WHEN 'debit' THEN 'credit' ELSE 'debit' END, amount_cents, 'reversal'
      FROM ledger_entry WHERE charge_id = ${chargeId} AND reason = 'payment'`;
}
