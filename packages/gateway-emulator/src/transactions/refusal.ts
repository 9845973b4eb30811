import type { Plan } from '../call.ts';
import { errorText } from '../error-codes.ts';

/** An error outside the transaction engine: `errorcode` without an underscore, and an HTTP status of its own. */
export function refusal(status: number, errorcode: number, error = errorText(errorcode)): Plan {
  return { status, body: { error, errorcode }, changes: [] };
}

/** A transaction refused before processing: a transaction's shape with status 200 and no key. */
export function transactionError(errorCode: number, error = errorText(errorCode)): Plan {
  const body = {
    type: 'transaction',
    is_duplicate: 'N',
    result_code: 'E',
    result: 'Error',
    authcode: '',
    error,
    error_code: errorCode,
  };
  return { status: 200, body, changes: [] };
}
