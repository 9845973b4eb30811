import { withWaitAdvice } from '@brightpane/contract/wait-advice';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { wasRemoved } from '@brightpane/ui/outcomes/was-removed';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { PAYMENT_METHOD_REMOVED, UNABLE_TO_REMOVE_PAYMENT_METHOD } from './payment-method-messages.ts';

export async function removePaymentMethod(id: string): Promise<ActionResult> {
  const answer = await callApi('removePaymentMethod', { params: { id } });
  if (answer.ok || wasRemoved(id, answer.problem)) {
    return {
      success: true,
      message: '',
      goTo: { path: '/payment-methods', state: { flash: PAYMENT_METHOD_REMOVED } },
    };
  }
  if (!isExpected(answer.problem)) reportError('removePaymentMethod', answer.problem);
  return { success: false, message: withWaitAdvice(UNABLE_TO_REMOVE_PAYMENT_METHOD, answer.problem) };
}
