import { decideRefund, type RefundDeps } from './decide-refund.ts';
import { listRestoredRefunds } from './refund-lists.queries.ts';

/**
 * After a restore nobody knows what was done with the refunds that the backup shows as unfinished: a person decides about
 * each. Until all are held no refund is sent, as payments are closed.
 */
export async function holdRefunds(deps: RefundDeps): Promise<void> {
  const { PUBLIC_URL: publicUrl } = deps.env;
  for (const { refundId, intentId } of await listRestoredRefunds(deps.db.query, { publicUrl })) {
    await decideRefund(deps, { intentId, decision: { event: 'hold', refundId, heldFor: 'restored' } });
  }
}
