import { callApi } from './api-client.ts';
import type { Operation } from './operation-names.ts';
import type { CallOptions } from './send-request.ts';
import { reportedText } from './telemetry.ts';

/** What a page cannot do without: the data, or the error page, and one report (spec section 8). */
export async function loadData<Data>(operation: Operation, options?: CallOptions): Promise<Data> {
  const answer = await callApi<Data>(operation, options);
  if (!answer.ok) throw new Error(reportedText(operation, answer.problem));
  return answer.data;
}
