import { withWaitAdvice } from '@brightpane/contract/wait-advice';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { wasRemoved } from '@brightpane/ui/outcomes/was-removed';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { LOCATION_REMOVED, UNABLE_TO_REMOVE_LOCATION } from './location-messages.ts';

/** Removes a location from the signed-in person's account. */
export async function removeLocation(locationId: string): Promise<ActionResult> {
  const answer = await callApi('removeLocation', { params: { locationId } });
  if (answer.ok || wasRemoved(locationId, answer.problem)) {
    return { success: true, message: '', goTo: { path: '/invoices', state: { flash: LOCATION_REMOVED } } };
  }
  if (!isExpected(answer.problem)) reportError('removeLocation', answer.problem);
  return { success: false, message: withWaitAdvice(UNABLE_TO_REMOVE_LOCATION, answer.problem) };
}
