import type { Invoice } from '@brightpane/contract/invoices/invoices';
import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { takeBegunLookUp } from '../../lib/early/begun-look-up.ts';
import { reportError } from '../../lib/report-error.ts';
import { searchMessage } from './search-messages.ts';
import { judgeNumbers, SEARCH_FORM_NAMES, type SearchNumbers } from './three-numbers.ts';

export type FoundInvoice =
  | { ok: true; invoice: Invoice }
  | {
      ok: false;
      message: string;
      fieldErrors: FieldErrors;
      /** `null`: the numbers could not be right, so nothing was asked. */
      problem: RefusedCall | null;
    };

/** Looks up an invoice by its three numbers. */
export async function findInvoice(numbers: SearchNumbers): Promise<FoundInvoice> {
  const refusal = judgeNumbers(numbers);
  if (refusal) return { ok: false, ...refusal, problem: null };
  const { franchiseNumber: franchiseId, workOrderNumber, zipCode } = numbers;
  const body = { franchiseId, workOrderNumber, zipCode };
  const answer = await (takeBegunLookUp(body) ?? callApi<Invoice>('searchInvoice', { body }));
  if (answer.ok) return { ok: true, invoice: answer.data };
  if (!isExpected(answer.problem)) reportError('searchInvoice', answer.problem);
  return {
    ok: false,
    message: searchMessage(answer.problem),
    fieldErrors: fieldErrors(answer.problem, SEARCH_FORM_NAMES),
    problem: answer.problem,
  };
}
