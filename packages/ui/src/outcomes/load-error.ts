import { NO_ANSWER, waitAdvice } from '@brightpane/contract/wait-advice';
import type { RefusedCall } from '../forms/ask-server.ts';
import { reportedText, reportOnceWith } from '../reporting/telemetry.ts';

/** A page's data failed to load. `what` completes the report: "Unable to load invoices". */
export class LoadError extends Error {
  override name = 'LoadError';
  /** What to do, for the person; empty if that isn't known. */
  readonly advice: string;
  readonly problem: RefusedCall;
  constructor(what: string, problem: RefusedCall) {
    super(reportedText(what, problem));
    this.advice = problem.status === NO_ANSWER ? NOT_REACHED : waitAdvice(problem);
    this.problem = problem;
    reportOnceWith(problem, this);
  }
}

const NOT_REACHED = 'No answer came. Check your connection, then try again.';
