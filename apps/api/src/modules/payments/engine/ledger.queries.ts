import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { executePrepared } from '../../../db/statements/execute-prepared.ts';

/**
 * Books what an accepted payment pays: the card owes the line's total, the receivable shrinks by invoice and tax, and
 * services, their tax and tips stand on accounts of their own. A credit is a debit there. Its entries count from the instant
 * of the acceptance, as its shares do, so that they never fall on two days.
 */
export async function bookPayment(tx: Queryable, { intentId }: { intentId: string }): Promise<void> {
  await executePrepared(
    tx,
    sql`
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
     WHERE c.intent_id = ${intentId} AND part.credit_cents <> 0`,
  );
}

/** Books a payment back that could not be collected: every entry again, the other way round. */
export async function bookReversal(tx: Queryable, { chargeId }: { chargeId: string }): Promise<void> {
  await tx.execute(sql`
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT charge_id, invoice_id, account,
           CASE direction WHEN 'debit' THEN 'credit' ELSE 'debit' END, amount_cents, 'reversal'
      FROM ledger_entry WHERE charge_id = ${chargeId} AND reason = 'payment'`);
}
