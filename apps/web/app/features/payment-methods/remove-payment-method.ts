import { withWaitAdvice } from '@brightpane/contract/wait-advice';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { sessionUserId } from '../../lib/session/session.ts';
import { userStore } from '../../lib/session/user-store.ts';
import { renewIdempotencyKey } from '../payments/idempotency-key.ts';
import { CARD_DRAFT } from './add-payment-method.ts';
import { PAYMENT_METHOD_REMOVED, UNABLE_TO_REMOVE_PAYMENT_METHOD } from './payment-method-messages.ts';

/** A card that is added after it was deleted is another one, even if the first adding had no answer. */
export async function removePaymentMethod(id: string): Promise<ActionResult> {
  const userId = sessionUserId();
  const store = userId === null ? undefined : userStore(userId);
  const answer = await callApi('removePaymentMethod', { params: { id } });
  if (answer.ok) {
    renewIdempotencyKey(CARD_DRAFT, store);
    return {
      success: true,
      message: '',
      goTo: { path: '/payment-methods', state: { flash: PAYMENT_METHOD_REMOVED } },
    };
  }
  if (!isExpected(answer.problem)) reportError('removePaymentMethod', answer.problem);
  return { success: false, message: withWaitAdvice(UNABLE_TO_REMOVE_PAYMENT_METHOD, answer.problem) };
}
