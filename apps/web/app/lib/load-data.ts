import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from './api-client.ts';
import { OPERATION_NAMES, type Operation } from './operation-names.ts';
import type { CallOptions } from './send-request.ts';

/** Loads data that a page can't do without: a failure is reported once and shows the error page. */
export async function loadData<Data>(operation: Operation, options?: CallOptions): Promise<Data> {
  const answer = await callApi<Data>(operation, options);
  if (!answer.ok) throw new LoadError(OPERATION_NAMES[operation], answer.problem);
  return answer.data;
}

/** Whether `loadData` threw because there is no such thing, or none for this person. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof LoadError && isExpected(thrown.problem);
}
