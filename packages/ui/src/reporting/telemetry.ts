import type { Problem } from '@brightpane/contract/problem';

/** Something that the people who run the portal should hear of. */
export type Report = { level: 'error'; text: string; thrown: unknown } | { level: 'warning'; text: string };

/** Where reports go. */
export type Reporter = {
  send: (report: Report) => void;
  /** Whose reports the next ones are; `null`: a guest's. */
  nameAccount: (id: string | null) => void;
};

const EARLY_REPORTS_KEPT = 50;

let early: Report[] = [];
let connected: Reporter | null = null;
let account: string | null = null;

/** What has been reported: a thrown error may come by more than once, from the router and from the window. */
const reported = new WeakSet<object>();

/** A call that ended in a way nobody had planned for. `what` says what it was about: "Unable to sign in". */
export function reportRefusal(what: string, problem: Problem): void {
  reportThrown(new Error(reportedText(what, problem)));
}

/** Answers that a person is told of and nobody else: what was asked cannot be had as it was asked. */
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

/** Marks an error that is about to be thrown and says what has been reported in better words. */
export function asReported<Thrown extends Error>(error: Thrown): Thrown {
  reported.add(error);
  return error;
}

/** What a call was about plus the server's detail; on 500 always the same text, so that reports group together. */
export function reportedText(what: string, problem: Pick<Problem, 'status' | 'detail'>): string {
  const detail = problem.status === 500 ? 'Internal server error' : problem.detail;
  return detail ? `${what}: ${detail}` : what;
}

/** From now on what nobody catches is reported too, unless it is no fault of the page. */
export function watchWindow(isNoFault: (event: ErrorEvent) => boolean): void {
  window.addEventListener('error', (event) => {
    if (!isNoFault(event)) reportThrown(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => reportThrown(event.reason));
}

/** Hands over what was reported so far, and from then on everything. Until then reports wait, the oldest first. */
export function connectReporter(reporter: Reporter): void {
  connected = reporter;
  reporter.nameAccount(account);
  for (const waiting of early) reporter.send(waiting);
  early = [];
}

/** Says by which account's id reports can be found from now on. Nothing else of a person goes along. */
export function nameAccount(id: string | null): void {
  account = id;
  connected?.nameAccount(id);
}

function report(what: Report): void {
  if (connected) connected.send(what);
  else if (early.length < EARLY_REPORTS_KEPT) early.push(what);
}
