import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a step of a trace is about, in the words of Sentry's protocol. */
export type StepKind = 'queue.task' | 'http.client';

/** Times work as a step of the trace that is under way, or as a trace of its own. */
export type Trace = <Result>(
  step: { name: string; kind: StepKind },
  work: () => Promise<Result>,
) => Promise<Result>;

/** Where errors and traces are sent. It never throws, and nothing waits for it but the end of the process. */
export type Reporter = {
  /** Takes a line of the log, and reports it if it is an error. */
  takeLine(line: string): void;
  trace: Trace;
  /** Begins the trace of a request, or goes on with the browser's; it ends with the answer. */
  beginRequest(request: FastifyRequest, reply: FastifyReply): void;
  /** From here on what is done belongs to the request, whose payer is known by now. */
  enterRequest(request: FastifyRequest, next: () => void): void;
  /** Whether what is sent is not taken any more. */
  isSilent(): boolean;
  /** Sends what is left, but not for long. */
  close(): Promise<void>;
};
