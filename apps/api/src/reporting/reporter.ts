import type { FastifyReply, FastifyRequest } from 'fastify';

/** A trace step's kind, in the terms of Sentry's protocol. */
export type StepKind = 'queue.task' | 'http.client';

/** Times work as a step of the current trace, or as a new trace. */
export type Trace = <Result>(
  step: { name: string; kind: StepKind },
  work: () => Promise<Result>,
) => Promise<Result>;

/** Receives errors and traces. Never throws, and only the end of the process waits for it. */
export type Reporter = {
  /** Reports a log line if it is an error. */
  takeLine(line: string): void;
  trace: Trace;
  /** Starts a request's trace or continues the browser's; it ends with the answer. */
  beginRequest(request: FastifyRequest, reply: FastifyReply): void;
  /** Assigns everything from here on to the request, whose payer is known by now. */
  enterRequest(request: FastifyRequest, next: () => void): void;
  /** Whether the receiver has stopped taking reports. */
  isSilent(): boolean;
  /** Sends what is left, within a short time. */
  close(): Promise<void>;
};
