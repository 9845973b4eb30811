import { waitAdvice } from '@brightpane/contract/wait-advice';
import type { RefusedCall } from '../forms/ask-server.ts';
import { reportedText, reportOnceWith } from '../reporting/telemetry.ts';

/** A page's data failed to load. `what` completes the report: "Unable to load invoices". */
export class LoadError extends Error {
  override name = 'LoadError';
  /** How long to wait, for the person; empty if waiting doesn't help. */
  readonly advice: string;
  readonly problem: RefusedCall;
  constructor(what: string, problem: RefusedCall) {
    super(reportedText(what, problem));
    this.advice = waitAdvice(problem);
    this.problem = problem;
    reportOnceWith(problem, this);
  }
}
