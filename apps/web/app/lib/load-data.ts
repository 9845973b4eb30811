import { callApi } from './api-client.ts';
import type { Operation } from './operation-names.ts';
import type { CallOptions, RefusedCall } from './send-request.ts';
import { reportedText } from './telemetry.ts';
import { waitAdvice } from './wait-advice.ts';

/** A page's data did not come. */
export class LoadError extends Error {
  override name = 'LoadError';
  /** For the person: how long to wait, if that is all; else empty. */
  readonly advice: string;
  constructor(operation: Operation, problem: RefusedCall) {
    super(reportedText(operation, problem));
    this.advice = waitAdvice(problem);
  }
}

/** Data that a page cannot do without: a failure is reported once and shows the error page. */
export async function loadData<Data>(operation: Operation, options?: CallOptions): Promise<Data> {
  const answer = await callApi<Data>(operation, options);
  if (!answer.ok) throw new LoadError(operation, answer.problem);
  return answer.data;
}
