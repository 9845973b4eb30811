import { randomBytes, randomUUID } from 'node:crypto';
import { cents } from '@brightpane/money/cents';
import { applyRate, ratePpm } from '@brightpane/money/rate';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../../src/deps.ts';
import { bookingOf, bookReversal } from '../../../src/modules/payments/engine/ledger.queries.ts';
import { makeInvoice } from '../invoices.ts';

const INVOICE_CENTS = 100_00;
const TAX_CENTS = 8_25;
const RATE = ratePpm(82_500);

export type PaidInvoice = Awaited<ReturnType<typeof makeInvoice>>;
export type DecidedPayment = {
  paymentId: string;
  chargeId: string;
  orderId: string;
  invoices: PaidInvoice[];
};

/** A payment decided at some instant, with one charge on the portal's account; a test names only what it is about. */
export async function makePayment(
  deps: Deps,
  given: {
    /** Made if not given, each fully due with 108.25. */
    invoices?: PaidInvoice[];
    state?: 'accepted' | 'captured' | 'capture_failed' | 'refused' | 'released' | 'unresolved';
    at?: string;
    tipCents?: number;
    servicesCents?: number;
    note?: string | null;
    brand?: string;
    lastFour?: string;
    payerEmail?: string | null;
    userId?: string | null;
  } = {},
): Promise<DecidedPayment> {
  const { state = 'captured', at = '2026-11-15T18:00:00Z', tipCents = 0, servicesCents = 0 } = given;
  const { note = null, brand = 'Visa', lastFour = '2224', payerEmail = null, userId = null } = given;
  const invoices = given.invoices ?? [await makeInvoice(deps.db.query)];
  const servicesTaxCents = Math.max(applyRate(cents(servicesCents), RATE), -TAX_CENTS);
  const lineCents = INVOICE_CENTS + TAX_CENTS + servicesCents + servicesTaxCents + tipCents;
  const [paymentId, chargeId] = [randomUUID(), randomUUID()];
  const isAccepted = ['accepted', 'captured', 'capture_failed'].includes(state);
  const intentState = isAccepted ? 'accepted' : state === 'refused' ? 'declined' : 'abandoned';
  const declined = { code: 'declined', sentence: 'The card was declined.', franchise: null };
  const reference = randomBytes(5).readUIntBE(0, 5).toString();
  let orderId = '';
  await deps.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ prefix: string; accountId: number }>(sql`
      SELECT (SELECT order_prefix FROM deployment WHERE public_url = ${deps.env.PUBLIC_URL}) AS prefix,
             (SELECT id FROM merchant_account WHERE franchise_id IS NULL AND replaced_at IS NULL) AS "accountId"`);
    orderId = `${rows[0]?.prefix}-${randomBytes(12).toString('hex')}`;
    await tx.execute(sql`
      INSERT INTO payment_intent (id, kind, user_id, idem_scope, idem_key, request_hash, created_at, deadline_at,
                                  payer_email)
      VALUES (${paymentId}, ${userId === null ? 'guest' : 'portal'}, ${userId}, 'test', ${paymentId}, 'none',
              ${at}::timestamptz - interval '2 seconds', ${at}::timestamptz + interval '25 seconds', ${payerEmail})`);
    await tx.execute(sql`
      INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, reference, created_at)
      VALUES (${chargeId}, ${paymentId}, ${rows[0]?.accountId}, ${lineCents * invoices.length}, ${orderId},
              ${reference}, ${at})`);
    for (const { invoiceId } of invoices) {
      await tx.execute(sql`
        INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                       services_tax_cents, tip_cents, services_note, priced_version)
        SELECT ${chargeId}, id, ${INVOICE_CENTS}, ${TAX_CENTS}, ${servicesCents}, ${servicesTaxCents}, ${tipCents},
               ${note}, version FROM invoice WHERE id = ${invoiceId}`);
    }
    await tx.execute(sql`
      UPDATE charge SET state = ${state}, accepted_at = ${isAccepted ? at : null}, card_brand = ${brand},
             masked_card = ${`xxxx${lastFour}`},
             captured_at = ${state === 'captured' ? at : null}::timestamptz + interval '2 minutes',
             review_since = ${state === 'unresolved' ? at : null}
       WHERE id = ${chargeId}`);
    await tx.execute(sql`
      UPDATE payment_intent
         SET state = ${intentState}, decided_at = ${at}, response_status = 200, response_body = '{}',
             outcome = ${isAccepted ? null : JSON.stringify(declined)}::jsonb
       WHERE id = ${paymentId}`);
    if (isAccepted) await tx.execute(bookingOf(sql`(SELECT * FROM charge WHERE intent_id = ${paymentId})`));
    if (state === 'capture_failed') await bookReversal(tx, { chargeId });
  });
  return { paymentId, chargeId, orderId, invoices };
}
