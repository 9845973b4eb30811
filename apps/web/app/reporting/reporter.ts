import { reporterOf } from '@brightpane/ui/reporting/reporter-of';
import type { Reporter } from '@brightpane/ui/reporting/telemetry';
import {
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  captureMessage,
  eventFiltersIntegration,
  functionToStringIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
  replayIntegration,
  setUser,
} from '@sentry/browser';
import { makeMaskedTransport } from './masked-transport.ts';
import { traceTargets } from './trace-targets.ts';

const FILES = ['script', 'link', 'css', 'img', 'other'].map((kind) => `resource.${kind}`);

/** Opens error reporting: every trace, a tenth of the sessions, and every session that had an error. */
export function openReporter(options: { dsn: string }): Reporter {
  init({
    dsn: options.dsn,
    transport: makeMaskedTransport,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    tracePropagationTargets: traceTargets(window.location.host),
    // Who is hit may be known by address; what is typed, asked for or answered may not.
    dataCollection: {
      userInfo: true,
      cookies: false,
      httpBodies: [],
      urlQueryParams: false,
      httpHeaders: { request: { allow: ['user-agent'] }, response: false },
    },
    // Named one by one: the watchers of window and console are not among them. `ui/telemetry` watches the window, from
    // before this was loaded, and consoles are no place that is known to be free of personal data.
    defaultIntegrations: false,
    integrations: [
      functionToStringIntegration(),
      eventFiltersIntegration(),
      linkedErrorsIntegration(),
      httpContextIntegration(),
      breadcrumbsIntegration(),
      // The files of a page would be nine tenths of its trace.
      browserTracingIntegration({ ignoreResourceSpans: FILES }),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        networkCaptureBodies: false,
        maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'content'],
        // The error of a page that has just opened is worth its replay too.
        minReplayDuration: 0,
        // The transport masks recordings before it compresses them.
        useCompression: false,
      }),
    ],
  });
  return reporterOf({ captureException, captureMessage, setUser });
}
