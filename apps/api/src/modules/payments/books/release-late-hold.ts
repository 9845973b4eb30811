import { PORTAL, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { countDown } from '../../../gateway/count-down.ts';
import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { isHoldOf, releaseHold } from '../../../gateway/release-hold.ts';
import { isKeyTaken } from '../engine/charges.queries.ts';
import { type ComparedCharge, leaseEndedCharge } from './comparison.queries.ts';

const LEASE_MILLISECONDS = 60_000;

/**
 * Releases a hold that appeared after its charge ended without one. The charge's state doesn't change; a lease keeps
 * other workers out. Asks the provider whose hold it is before, and whether it is gone after.
 */
export async function releaseLateHold(
  deps: Deps,
  { gateway, charge, row }: { gateway: PaymentGateway; charge: ComparedCharge; row: TransactionRecord },
): Promise<boolean> {
  const { transactionKey } = row;
  // Of a conflict that a person has closed: the other charge may still be captured.
  if (await isKeyTaken(deps.db.query, { chargeId: charge.chargeId, ...row })) return false;
  const millisecondsLeft = countDown(LEASE_MILLISECONDS);
  if (!(await leaseEndedCharge(deps.db.query, charge))) return false;
  const isOurs = () => isHoldOf(gateway, { transactionKey, orderId: charge.orderId });
  if (!(await isOurs())) return false;
  // Record first: a crash after the release would leave no trace of it.
  await recordAct(deps.db.query, PORTAL, {
    action: 'release late hold',
    subject: `charge ${charge.chargeId}`,
    detail: { transactionKey },
  });
  await releaseHold(gateway, { transactionKey, millisecondsLeft }, isOurs);
  const after = await gateway.find({ transactionKey });
  return after.kind === 'found' && after.transaction.state === 'voided';
}
