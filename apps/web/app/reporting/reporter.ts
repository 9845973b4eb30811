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

/** Starts error reporting: every trace, a tenth of the sessions, and every session with an error. */
export function openReporter(options: { dsn: string }): Reporter {
  init({
    dsn: options.dsn,
    transport: makeMaskedTransport,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    tracePropagationTargets: traceTargets(window.location.host),
    // The IP address may be sent; what was typed, requested or answered may not.
    dataCollection: {
      userInfo: true,
      cookies: false,
      httpBodies: [],
      urlQueryParams: false,
      httpHeaders: { request: { allow: ['user-agent'] }, response: false },
    },
    // Listed one by one, to leave out the window and console integrations: `ui/reporting/telemetry` already watches the
    // window, and the console may contain personal data.
    defaultIntegrations: false,
    integrations: [
      functionToStringIntegration(),
      eventFiltersIntegration(),
      linkedErrorsIntegration(),
      httpContextIntegration(),
      breadcrumbsIntegration(),
      // Resource spans would be nine tenths of a page's trace.
      browserTracingIntegration({ ignoreResourceSpans: FILES }),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        networkCaptureBodies: false,
        maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'content'],
        // An error right after the page opened deserves a replay too.
        minReplayDuration: 0,
        // The transport masks recordings before it compresses them.
        useCompression: false,
      }),
    ],
  });
  return reporterOf({ captureException, captureMessage, setUser });
}
