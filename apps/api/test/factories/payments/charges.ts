import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type ChargeState, charge, type IntentState } from '../../../src/db/schema/payments.ts';
import type { Deps } from '../../../src/deps.ts';
import { bookingOf, bookReversal } from '../../../src/modules/payments/engine/ledger.queries.ts';
import { makeInvoice } from '../invoices.ts';

const INTENT_STATE: Record<ChargeState, IntentState> = {
  authorising: 'undecided',
  authorised: 'undecided',
  accepted: 'accepted',
  captured: 'accepted',
  reversing: 'accepted',
  capture_failed: 'accepted',
  refused: 'declined',
  abandoned: 'abandoned',
  releasing: 'abandoned',
  released: 'abandoned',
  absent: 'abandoned',
  conflict: 'abandoned',
  unresolved: 'abandoned',
};

const ANSWER_STATUS: Record<IntentState, number | null> = {
  undecided: null,
  accepted: 200,
  declined: 400,
  abandoned: 503,
};

export type MadeCharge = { intentId: string; chargeId: string; invoiceId: number; orderId: string };

/** A payment of one invoice in some state, written directly into the tables. */
export async function makeCharge(
  deps: Deps,
  {
    state,
    kind = 'guest',
    transactionKey = null,
    userId = null,
    acceptedAt = null,
  }: {
    state: ChargeState;
    kind?: 'guest' | 'card';
    transactionKey?: string | null;
    userId?: string | null;
    /** When it was accepted; null means now. */
    acceptedAt?: string | null;
  },
): Promise<MadeCharge> {
  const made = await makeInvoice(deps.db.query);
  const intentId = randomUUID();
  const chargeId = randomUUID();
  const { rows } = await deps.db.query.execute<{ prefix: string; accountId: number }>(sql`
    SELECT (SELECT order_prefix FROM deployment WHERE public_url = ${deps.env.PUBLIC_URL}) AS prefix,
           (SELECT id FROM merchant_account WHERE franchise_id IS NULL AND replaced_at IS NULL) AS "accountId"`);
  const [{ prefix, accountId } = { prefix: '', accountId: 0 }] = rows;
  const orderId = `${prefix}-${randomBytes(12).toString('hex')}`;
  const intentState = INTENT_STATE[state];
  const claimState = { undecided: 'live', accepted: 'paid', declined: 'freed', abandoned: 'freed' }[
    intentState
  ];
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO payment_intent (id, kind, user_id, idem_scope, idem_key, request_hash, deadline_at)
      VALUES (${intentId}, ${kind}, ${userId}, ${'test'}, ${intentId}, 'none', engine_now() + interval '25 seconds')`);
    await tx.execute(sql`
      INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, transaction_key, reference)
      VALUES (${chargeId}, ${intentId}, ${accountId}, 10825, ${orderId}, ${transactionKey}, ${transactionKey})`);
    if (kind !== 'card') {
      await tx.execute(sql`
        INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                       services_tax_cents, tip_cents, priced_version)
        VALUES (${chargeId}, ${made.invoiceId}, 10000, 825, 0, 0, 0, 1)`);
      await tx.execute(sql`
        INSERT INTO invoice_claim (invoice_id, intent_id, state)
        VALUES (${made.invoiceId}, ${intentId}, ${claimState})`);
    }
    // Updated to its state, since only an update fires the triggers for the paid sum and the shares.
    await tx.execute(sql`
      UPDATE charge SET state = ${state},
             accepted_at = CASE WHEN ${intentState === 'accepted'} THEN coalesce(${acceptedAt}, engine_now()) END,
             captured_at = CASE WHEN ${state === 'captured'} THEN engine_now() END
       WHERE id = ${chargeId}`);
    if (intentState !== 'undecided') {
      await tx.execute(sql`
        UPDATE payment_intent
           SET state = ${intentState}, decided_at = engine_now(), response_status = ${ANSWER_STATUS[intentState]},
               response_body = '{}'
         WHERE id = ${intentId}`);
    }
    if (intentState === 'accepted')
      await tx.execute(bookingOf(sql`(SELECT * FROM charge WHERE intent_id = ${intentId})`));
    if (state === 'capture_failed') await bookReversal(tx, { chargeId });
  });
  return { intentId, chargeId, orderId, invoiceId: made.invoiceId };
}

export async function chargeState(
  deps: Pick<Deps, 'db'>,
  chargeId: string,
): Promise<ChargeState | undefined> {
  const [row] = await deps.db.query.select().from(charge).where(eq(charge.id, chargeId));
  return row?.state;
}
