import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import type { RequestedLine } from '../../src/modules/payments/refunds/request-refunds.queries.ts';
import { requestRefunds } from '../../src/modules/payments/refunds/request-refunds.ts';

export type Refundable = { paymentId: string; chargeId: string; orderId: string; invoiceId: number };

/** The charge of an invoice's only payment. */
export async function makeRefundable(
  db: Queryable,
  { invoiceId }: { invoiceId: number },
): Promise<Refundable> {
  const { rows } = await db.execute<Refundable>(sql`
    SELECT c.intent_id AS "paymentId", c.id AS "chargeId", c.order_id AS "orderId", a.invoice_id AS "invoiceId"
      FROM charge c JOIN charge_allocation a ON a.charge_id = c.id WHERE a.invoice_id = ${invoiceId}`);
  const [charge] = rows;
  if (!charge) throw new Error(`invoice ${invoiceId} is not paid`);
  return charge;
}

type Given = Partial<RequestedLine> & { needsApproval?: boolean; actorId?: string; retryOf?: string };

/** Requests one refund, as a person's call does. */
export async function requestRefund(deps: Pick<Deps, 'db'>, sale: Refundable, given: Given): Promise<string> {
  return (await requestRefundOfEach(deps, [sale], given))[0] ?? '';
}

/** Requests a refund of each of a payment's charges at once. */
export async function requestRefundOfEach(
  { db }: Pick<Deps, 'db'>,
  sales: Refundable[],
  given: Given,
): Promise<string[]> {
  const { needsApproval = false, actorId = randomUUID(), retryOf, ...parts } = given;
  const { refunds } = await db.transaction((tx) =>
    requestRefunds(tx, {
      intentId: sales[0]?.paymentId ?? '',
      actor: { id: actorId, name: 'Ana' },
      idemKey: randomUUID(),
      requestHash: 'none',
      reason: 'complaint',
      note: null,
      needsApproval,
      refunds: sales.map(({ chargeId, invoiceId }) => ({
        chargeId,
        lines: [{ ...LINE, invoiceId, ...parts }],
        retryOf,
      })),
    }),
  );
  return refunds.map(({ refundId }) => refundId);
}

const LINE: Omit<RequestedLine, 'invoiceId'> = {
  invoiceCents: 0,
  taxCents: 0,
  servicesCents: 0,
  servicesTaxCents: 0,
  tipCents: 0,
  effect: 'due-again',
  nothingDue: false,
};
