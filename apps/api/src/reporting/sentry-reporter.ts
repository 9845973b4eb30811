import {
  captureEvent,
  close,
  continueTrace,
  getActiveSpan,
  init,
  type Span,
  setHttpStatus,
  spanStreamingIntegration,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  withActiveSpan,
} from '@sentry/node';
import type { FastifyRequest } from 'fastify';
import { eventOfLine } from './log-event.ts';
import { maskedTransport, SEND_MILLISECONDS } from './masked-transport.ts';
import { ReportBreaker } from './report-breaker.ts';
import type { Reporter } from './reporter.ts';

/** Errors and traces of the server, by Sentry's protocol. */
export function openSentryReporter(dsn: string): Reporter {
  const breaker = new ReportBreaker();
  init({
    dsn,
    transport: maskedTransport(breaker),
    tracesSampleRate: 1,
    // Whom the server calls, the card provider above all, is no part of the portal and is told of no trace.
    tracePropagationTargets: [],
    // Nothing is watched or rewritten but what is handed over here: the log's errors, and the steps of a trace.
    defaultIntegrations: false,
    integrations: [spanStreamingIntegration()],
    enableRuntimeChannelInjection: false,
    // Who is hit may be known; what is asked, answered and stored may not.
    dataCollection: {
      userInfo: true,
      cookies: false,
      httpBodies: [],
      httpHeaders: false,
      urlQueryParams: false,
      databaseQueryData: false,
      stackFrameVariables: false,
    },
  });
  const spans = new WeakMap<FastifyRequest, Span>();

  return {
    takeLine(line) {
      const event = eventOfLine(line);
      if (event) captureEvent(event);
    },

    trace: ({ name, kind }, work) => {
      const step = () => startSpan({ name, op: kind }, work);
      // Else everything that this process does of itself would be one endless trace.
      return getActiveSpan() ? step() : startNewTrace(step);
    },

    beginRequest(request, reply) {
      const { 'sentry-trace': sentryTrace, baggage } = request.headers;
      const trace = { sentryTrace: single(sentryTrace), baggage: single(baggage) };
      const span = continueTrace(trace, () => startInactiveSpan(describeRequest(request)));
      spans.set(request, span);
      reply.raw.once('close', () => {
        setHttpStatus(span, reply.statusCode);
        span.end();
      });
    },

    enterRequest(request, next) {
      const span = spans.get(request);
      if (!span) return next();
      withActiveSpan(span, (scope) => {
        scope.setUser({ ...(request.userId && { id: request.userId }), ip_address: request.ip });
        next();
      });
    },

    isSilent: () => breaker.isSilent(),

    close: async () => void (await close(SEND_MILLISECONDS)),
  };
}

/** A request by its route: the numbers and names in its address are nobody else's business. */
function describeRequest({ method, routeOptions, id }: FastifyRequest) {
  const route = routeOptions.url ?? 'none';
  return {
    name: `${method} ${route}`,
    op: 'http.server',
    attributes: { 'http.request.method': method, 'http.route': route, 'request.id': id },
  };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
