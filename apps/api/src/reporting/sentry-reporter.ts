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

/** Reports the server's errors and traces by Sentry's protocol. */
export function openSentryReporter(dsn: string): Reporter {
  const breaker = new ReportBreaker();
  init({
    dsn,
    transport: maskedTransport(breaker),
    tracesSampleRate: 1,
    // Send no trace headers to anybody we call, least of all the card provider.
    tracePropagationTargets: [],
    // Instrument nothing: report only what is passed in here, the log's errors and a trace's steps.
    defaultIntegrations: false,
    integrations: [spanStreamingIntegration()],
    enableRuntimeChannelInjection: false,
    // Allow who is affected; never requests, answers or stored data.
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
      // Otherwise everything that this process does by itself would join one endless trace.
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

/** Names a request by its route, as its URL contains numbers and names. */
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
