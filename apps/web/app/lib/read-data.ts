import type { Answer } from '@brightpane/ui/forms/ask-server';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from './api-client.ts';
import type { Operation } from './operation-names.ts';
import { reportError } from './report-error.ts';
import type { CallOptions } from './send-request.ts';

/** Like `loadData`, for what a page can do without: a failure is reported, and the caller says it in its place. */
export async function readData<Data>(operation: Operation, options?: CallOptions): Promise<Answer<Data>> {
  const answer = await callApi<Data>(operation, options);
  if (!answer.ok && !isExpected(answer.problem)) reportError(operation, answer.problem);
  return answer;
}
