import type { Invoice } from '@brightpane/contract/invoices';
import type { FieldErrors } from '../../lib/action-result.ts';
import { callApi } from '../../lib/api-client.ts';
import { fieldErrors } from '../../lib/field-errors.ts';
import { isExpected, reportError } from '../../lib/telemetry.ts';
import { searchMessage } from './search-messages.ts';
import { judgeNumbers, SEARCH_FORM_NAMES, type SearchNumbers } from './three-numbers.ts';

export type FoundInvoice =
  | { ok: true; invoice: Invoice }
  | { ok: false; message: string; fieldErrors: FieldErrors };

/** Looks one invoice up by its three numbers. */
export async function findInvoice(numbers: SearchNumbers): Promise<FoundInvoice> {
  const refusal = judgeNumbers(numbers);
  if (refusal) return { ok: false, ...refusal };
  const { franchiseNumber: franchiseId, workOrderNumber, zipCode } = numbers;
  const answer = await callApi<Invoice>('searchInvoice', { body: { franchiseId, workOrderNumber, zipCode } });
  if (answer.ok) return { ok: true, invoice: answer.data };
  if (!isExpected(answer.problem)) reportError('searchInvoice', answer.problem);
  return {
    ok: false,
    message: searchMessage(answer.problem),
    fieldErrors: fieldErrors(answer.problem, SEARCH_FORM_NAMES),
  };
}
