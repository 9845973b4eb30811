import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { acknowledgeFoundPayment } from '../../../../../apps/api/src/modules/payments/restore/acknowledge-found-payment.ts';
import { listFoundPayments } from '../../../../../apps/api/src/modules/payments/restore/list-found-payments.ts';
import { confirmAccess } from '../../../../../apps/api/src/modules/staff/restore/confirm-access.ts';
import type { Clerk } from './clerks.ts';

/**
 * After a restore, also one that is only suspected because somebody captured an abandoned payment's hold by hand: lets
 * staff in again, and acknowledges what the provider has and the books lack.
 */
export async function settleRestore(deps: Deps, { caller }: Clerk): Promise<void> {
  await confirmAccess(deps, { caller, who: { all: true } });
  for (const { orderId } of await listFoundPayments(deps)) {
    await acknowledgeFoundPayment(deps, { orderId, actor: caller });
  }
}
