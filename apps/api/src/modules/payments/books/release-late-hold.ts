import { sql } from 'drizzle-orm';
import { auditEvent } from '../../../db/schema/operations.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { ComparedCharge } from './comparison.queries.ts';

/**
 * Gives back a hold that turned up after its charge had ended without one. The charge's end stays what it is; the lease
 * keeps other workers out, and the provider is asked whose hold it is before and whether it is gone afterwards.
 */
export async function releaseLateHold(
  deps: Deps,
  { gateway, charge, row }: { gateway: PaymentGateway; charge: ComparedCharge; row: TransactionRecord },
): Promise<boolean> {
  const { transactionKey } = row;
  if (!(await takeLease(deps, charge))) return false;
  const before = await gateway.find({ transactionKey });
  const isOurs =
    before.kind === 'found' &&
    before.transaction.orderId === charge.orderId &&
    before.transaction.state === 'held';
  if (!isOurs) return false;
  // Before the act that it names: whoever dies after it would leave no word of it.
  await deps.db.query.insert(auditEvent).values({
    actor: 'portal',
    action: 'release late hold',
    subject: `charge ${charge.chargeId}`,
    detail: { transactionKey },
  });
  await gateway.release({ transactionKey });
  const after = await gateway.find({ transactionKey });
  return after.kind === 'found' && after.transaction.state === 'voided';
}

async function takeLease({ db }: Pick<Deps, 'db'>, { chargeId }: ComparedCharge): Promise<boolean> {
  const { rows } = await db.query.execute(sql`
    UPDATE charge c SET lease_until = engine_now() + interval '60 seconds', fence = c.fence + 1
      FROM payment_intent p
     WHERE c.id = ${chargeId} AND p.id = c.intent_id AND p.state IN ('abandoned', 'declined')
       AND c.state IN ('refused', 'released', 'absent')
       AND (c.lease_until IS NULL OR c.lease_until < engine_now())
    RETURNING c.id`);
  return rows.length === 1;
}
