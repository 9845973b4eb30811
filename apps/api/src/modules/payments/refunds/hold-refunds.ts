import { decideRefund, type RefundDeps } from './decide-refund.ts';
import { listRestoredRefunds } from './refund-lists.queries.ts';

/**
 * After a restore nobody knows what became of the refunds that the backup shows as unfinished, so a person decides on
 * each. Payments stay closed until all are held, so none is sent before.
 */
export async function holdRefunds(deps: RefundDeps): Promise<void> {
  const { PUBLIC_URL: publicUrl } = deps.env;
  for (const { refundId, intentId } of await listRestoredRefunds(deps.db.query, { publicUrl })) {
    await decideRefund(deps, { intentId, decision: { event: 'hold', refundId, heldFor: 'restored' } });
  }
}
