import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../src/deps.ts';
import type { DecidedPayment } from './payments/decided-payments.ts';

export type RefundedParts = {
  invoiceCents?: number;
  taxCents?: number;
  servicesCents?: number;
  servicesTaxCents?: number;
  tipCents?: number;
  effect?: 'due-again' | 'credited' | null;
};

/** 24 characters, the format of a refund's mark at the provider. */
export const newMark = () => `r${randomBytes(12).toString('hex').slice(1)}`;

/** Parts of another invoice of the payment. */
type FurtherParts = RefundedParts & { invoiceId: number };

/** Requests a refund of the payment's first invoice, which waits to be sent or approved. */
export async function makeRefund(
  { db }: Pick<Deps, 'db'>,
  { chargeId, paymentId, invoices }: DecidedPayment,
  given: RefundedParts & { needsApproval?: boolean; also?: FurtherParts[] } = {},
): Promise<{ requestId: string; refundId: string }> {
  const { needsApproval = false, also = [], ...parts } = given;
  const lines = [{ invoiceId: invoices[0]?.invoiceId, ...parts }, ...also].map(toLine);
  const amountCents = lines.reduce((sum, line) => sum + line.cashCents, 0);
  const [requestId, refundId] = [randomUUID(), randomUUID()];
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO refund_request (id, intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval)
      VALUES (${requestId}, ${paymentId}, ${randomUUID()}, ${requestId}, 'none', 'complaint', ${amountCents},
              ${needsApproval})`);
    await tx.execute(sql`
      INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state)
      VALUES (${refundId}, ${requestId}, ${chargeId}, ${amountCents}, ${newMark()},
              ${needsApproval ? 'requested' : 'waiting'})`);
    for (const line of lines) {
      await tx.execute(sql`
        INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                 services_tax_cents, tip_cents, effect)
        VALUES (${refundId}, ${chargeId}, ${line.invoiceId}, ${line.invoiceCents}, ${line.taxCents},
                ${line.servicesCents}, ${line.servicesTaxCents}, ${line.tipCents}, ${line.effect})`);
    }
  });
  return { requestId, refundId };
}

function toLine(given: RefundedParts & { invoiceId: number | undefined }) {
  const { invoiceCents = 0, taxCents = 0, servicesCents = 0, servicesTaxCents = 0, tipCents = 0 } = given;
  const { invoiceId, effect = invoiceCents + taxCents > 0 ? 'due-again' : null } = given;
  const cashCents = invoiceCents + taxCents + servicesCents + servicesTaxCents + tipCents;
  return { invoiceId, invoiceCents, taxCents, servicesCents, servicesTaxCents, tipCents, effect, cashCents };
}

/** Sends it as the sweep does, after reading the provider's record. */
export async function sendRefund({ db }: Pick<Deps, 'db'>, refundId: string): Promise<void> {
  await db.query.execute(sql`
    UPDATE refund SET state = 'sending', method = 'refund', sent_at = engine_now(),
                      deadline_at = engine_now() + interval '25 seconds'
     WHERE id = ${refundId}`);
}

export async function confirmRefund({ db }: Pick<Deps, 'db'>, refundId: string): Promise<void> {
  await db.query.execute(sql`
    UPDATE refund SET state = 'made', made_at = engine_now(), transaction_key = 'enf' || left(mark, 12)
     WHERE id = ${refundId}`);
}

/** A complete, made refund. */
export async function refundAll(
  deps: Pick<Deps, 'db'>,
  payment: DecidedPayment,
  parts: RefundedParts & { also?: FurtherParts[] },
): Promise<string> {
  const { refundId } = await makeRefund(deps, payment, parts);
  await sendRefund(deps, refundId);
  await confirmRefund(deps, refundId);
  return refundId;
}

export async function undoRefund({ db }: Pick<Deps, 'db'>, refundId: string): Promise<void> {
  await db.query.execute(sql`UPDATE refund SET undone_at = engine_now() WHERE id = ${refundId}`);
}
