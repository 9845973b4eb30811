import { randomBytes, randomUUID } from 'node:crypto';
import type { InvoiceRow } from './support/console/office.ts';
import { inDatabase } from './support/database.ts';
import { askProvider } from './support/emulator.ts';
import { systemUnderTest } from './support/system.ts';

/**
 * Whoever reads the provider's list waits up to a minute for the account's budget of listings, which every journey of a run
 * shares.
 */
export const READ_IN_TURN = { timeout: 100_000 };

const CARD = { number: '4000100011112224', expiration: '1230', cvc: '123' };

/** A payment of this invoice with a hold at the provider, after a day in which nobody could find out. */
export async function leaveUnresolved(invoice: InvoiceRow): Promise<string> {
  const orderId = await leaveInReview(invoice, 'unresolved');
  await askProvider({ command: 'authonly', orderid: orderId, amount: '108.25', creditcard: CARD });
  return orderId;
}

/** An abandoned payment of this invoice that waits for a person, with nothing at the provider. */
export async function leaveInReview(
  { franchiseId, workOrderNumber }: InvoiceRow,
  state: 'unresolved' | 'conflict',
): Promise<string> {
  const [paymentId, chargeId] = [randomUUID(), randomUUID()];
  return inDatabase(async (client) => {
    // Other journeys' portals stand in the same table.
    const prefixes = await client.query(
      'SELECT order_prefix AS prefix FROM deployment WHERE public_url = $1',
      [systemUnderTest().portalUrl],
    );
    const order = `${prefixes.rows[0].prefix}-${randomBytes(12).toString('hex')}`;
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO payment_intent (id, kind, idem_scope, idem_key, request_hash, deadline_at)
       VALUES ($1::uuid, 'guest', 'journey', $1::uuid::text, 'none', now())`,
      [paymentId],
    );
    await client.query(
      `INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id)
       SELECT $1, $2, id, 10825, $3 FROM merchant_account WHERE franchise_id IS NULL AND replaced_at IS NULL`,
      [chargeId, paymentId, order],
    );
    await client.query(
      `INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                      services_tax_cents, tip_cents, priced_version)
       SELECT $1, id, 10000, 825, 0, 0, 0, version FROM invoice
        WHERE franchise_id = $2 AND work_order_number = $3`,
      [chargeId, franchiseId, workOrderNumber],
    );
    await client.query('UPDATE charge SET state = $2, review_since = now() WHERE id = $1', [chargeId, state]);
    await client.query(
      `UPDATE payment_intent SET state = 'abandoned', decided_at = now(), response_status = 503, response_body = '{}'
        WHERE id = $1`,
      [paymentId],
    );
    await client.query('COMMIT');
    return order;
  });
}

/** A sale that somebody made by hand on the portal's account. */
export async function payByHand(amount: string): Promise<string> {
  const orderid = `by-hand-${randomBytes(4).toString('hex')}`;
  await askProvider({ command: 'sale', orderid, amount, creditcard: CARD });
  return orderid;
}

/** A difference on the portal's account, as a comparison finds one. */
export async function plantDifference(amountCents: number): Promise<string> {
  const orderId = `planted-${randomBytes(4).toString('hex')}`;
  await inDatabase((client) =>
    client.query(
      `INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
       SELECT 'not-in-our-books', id, $1, $1, $2 FROM merchant_account
        WHERE franchise_id IS NULL AND replaced_at IS NULL`,
      [orderId, amountCents],
    ),
  );
  return orderId;
}

/** A payment that a restore from a backup has lost, of no work order. */
export async function plantFoundPayment(amountCents: number): Promise<string> {
  const orderId = `planted-${randomBytes(4).toString('hex')}`;
  await inDatabase((client) =>
    client.query(
      `INSERT INTO found_payment
         (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
       SELECT $1, $1, id, $1, $2, 'held', false FROM merchant_account
        WHERE franchise_id IS NULL AND replaced_at IS NULL`,
      [orderId, amountCents],
    ),
  );
  return orderId;
}
