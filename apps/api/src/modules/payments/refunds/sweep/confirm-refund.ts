import type { Deps } from '../../../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../../../gateway/payment-gateway.ts';
import { decideRefund } from '../decide-refund.ts';
import type { ProvedRefund, SeenOf } from '../moves/refund-decision.ts';
import type { LeasedRefund } from './refund-leases.queries.ts';

/** Stores the refund's key at the provider before asking anything else. */
export async function storeAnswer(
  deps: Deps,
  { intentId, refundId, fence }: LeasedRefund,
  { transactionKey, reference, batchKey }: ProvedRefund,
): Promise<void> {
  const answer = { transactionKey, reference, batchKey };
  await decideRefund(deps, { intentId, decision: { event: 'store-answer', refundId, fence, ...answer } });
}

export const provedBy = ({ transactionKey, reference, batchKey }: TransactionRecord): ProvedRefund => ({
  transactionKey,
  reference,
  batchKey,
});

/** A void counts as made once the sale's own record shows it, whoever voided it. */
export const confirmVoid = (sale: TransactionRecord) =>
  ({ event: 'confirm', method: 'void', ...provedBy(sale) }) as const;

/** Only the provider's own record makes a refund: order and amount must be ours. Null if the record can't be had. */
export async function confirmByKey(
  refund: LeasedRefund,
  { gateway, answerKey }: { gateway: PaymentGateway; answerKey: string },
): Promise<SeenOf<'confirm' | 'hold'> | null> {
  const found = await gateway.find({ transactionKey: answerKey });
  if (found.kind !== 'found') return null;
  const { transaction } = found;
  if (transaction.orderId !== refund.orderId) return { event: 'hold', heldFor: 'another-order' };
  if (transaction.state === 'voided') return { event: 'hold', heldFor: 'voided-there' };
  if (transaction.type !== 'C' || transaction.result !== 'A')
    return { event: 'hold', heldFor: 'not-approved' };
  if (transaction.amountCents !== refund.amountCents) return { event: 'hold', heldFor: 'another-amount' };
  return { event: 'confirm', method: 'refund', ...provedBy(transaction) };
}
