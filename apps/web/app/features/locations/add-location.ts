import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { judgeNumbers, SEARCH_FORM_NAMES, type SearchNumbers } from '../invoice-search/three-numbers.ts';
import { addLocationMessage, LOCATION_ADDED } from './location-messages.ts';

/** Adds a location to the account by the three numbers of one of its invoices. */
export async function addLocation(numbers: SearchNumbers): Promise<ActionResult> {
  const refusal = judgeNumbers(numbers);
  if (refusal) return { success: false, ...refusal };
  const { franchiseNumber: franchiseId, workOrderNumber, zipCode } = numbers;
  const answer = await callApi('addLocation', { body: { franchiseId, workOrderNumber, zipCode } });
  if (answer.ok) {
    return { success: true, message: '', goTo: { path: '/invoices', state: { flash: LOCATION_ADDED } } };
  }
  const { problem } = answer;
  if (!isExpected(problem)) reportError('addLocation', problem);
  return {
    success: false,
    message: addLocationMessage(problem),
    fieldErrors: fieldErrors(problem, SEARCH_FORM_NAMES),
  };
}
