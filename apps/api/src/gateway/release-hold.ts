import { type CallTime, mayHold, type PaymentGateway, type VoidOutcome } from './payment-gateway.ts';

/**
 * Voids a transaction and releases its funds. Some accounts don't release funds: there it is voided alone, if another look
 * at it still says so. Only `find` proves that it is gone.
 */
export async function releaseHold(
  gateway: PaymentGateway,
  hold: { transactionKey: string } & CallTime,
  mustStillGo: () => Promise<boolean>,
): Promise<VoidOutcome> {
  const released = await gateway.release(hold);
  if (released.kind !== 'not-releasable' || !(await mustStillGo())) return released;
  return gateway.void({ ...hold, releases: false });
}

/** Whether a transaction's own record shows it as a hold of this order. */
export async function isHoldOf(
  gateway: PaymentGateway,
  { transactionKey, orderId }: { transactionKey: string; orderId: string },
): Promise<boolean> {
  const found = await gateway.find({ transactionKey });
  return found.kind === 'found' && found.transaction.orderId === orderId && mayHold(found.transaction);
}
