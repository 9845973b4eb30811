import type { Problem } from '@brightpane/contract/problem';

/** Something that the operators should hear of. */
export type Report = { level: 'error'; text: string; thrown: unknown } | { level: 'warning'; text: string };

/** Where reports go. */
export type Reporter = {
  send: (report: Report) => void;
  /** Whose reports follow; `null` for a guest. */
  nameAccount: (id: string | null) => void;
};

const EARLY_REPORTS_KEPT = 50;

let early: Report[] = [];
let connected: Reporter | null = null;
let account: string | null = null;

/** Already reported: a thrown error may arrive twice, from the router and from the window. */
const reported = new WeakSet<object>();

/** Reports a call that failed unexpectedly, once. `what` names it: "Unable to sign in". */
export function reportRefusal(what: string, problem: Problem): void {
  if (reported.has(problem)) return;
  reported.add(problem);
  reportThrown(new Error(reportedText(what, problem)));
}

/** Answers that only the person needs to hear of: the request itself can't be fulfilled. */
export function isExpected({ status }: Pick<Problem, 'status'>): boolean {
  return status === 400 || status === 404;
}

export function reportWarning(text: string): void {
  report({ level: 'warning', text });
}

export function reportThrown(thrown: unknown): void {
  if (typeof thrown === 'object' && thrown !== null) {
    if (reported.has(thrown)) return;
    reported.add(thrown);
  }
  report({ level: 'error', text: thrown instanceof Error ? thrown.message : String(thrown), thrown });
}

/** Keeps an error from being reported if the refusal behind it has been. */
export function reportOnceWith(problem: Problem, error: Error): void {
  if (reported.has(problem)) reported.add(error);
}

/** What failed plus the server's detail. A 500 always gives the same text, so that reports group together. */
export function reportedText(what: string, problem: Pick<Problem, 'status' | 'detail'>): string {
  const detail = problem.status === 500 ? 'Internal server error' : problem.detail;
  return detail ? `${what}: ${detail}` : what;
}

/** Starts reporting uncaught errors, except those that aren't the page's fault. */
export function watchWindow(isNoFault: (event: ErrorEvent) => boolean): void {
  window.addEventListener('error', (event) => {
    if (!isNoFault(event)) reportThrown(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => reportThrown(event.reason));
}

/** Sends the reports kept so far, oldest first, and every later one directly. */
export function connectReporter(reporter: Reporter): void {
  connected = reporter;
  reporter.nameAccount(account);
  for (const waiting of early) reporter.send(waiting);
  early = [];
}

/** Sets the account id of later reports. Nothing else about a person is sent. */
export function nameAccount(id: string | null): void {
  account = id;
  connected?.nameAccount(id);
}

function report(what: Report): void {
  if (connected) connected.send(what);
  else if (early.length < EARLY_REPORTS_KEPT) early.push(what);
}
