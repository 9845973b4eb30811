import type { RefusedCall } from '../forms/ask-server.ts';
import { reportedText } from '../reporting/telemetry.ts';
import { waitAdvice } from './wait-advice.ts';

/** A page's data did not come. `what` says what it was about: "Unable to load invoices". */
export class LoadError extends Error {
  override name = 'LoadError';
  /** For the person: how long to wait, if that is all; else empty. */
  readonly advice: string;
  readonly problem: RefusedCall;
  constructor(what: string, problem: RefusedCall) {
    super(reportedText(what, problem));
    this.advice = waitAdvice(problem);
    this.problem = problem;
  }
}
