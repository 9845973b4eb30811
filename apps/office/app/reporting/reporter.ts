import { reporterOf } from '@brightpane/ui/reporting/reporter-of';
import type { Reporter } from '@brightpane/ui/reporting/telemetry';
import {
  captureException,
  captureMessage,
  eventFiltersIntegration,
  functionToStringIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
  setUser,
} from '@sentry/browser';
import { makeMaskedTransport } from './masked-transport.ts';

/** Starts error reporting for the console: only errors, no traces, and no recordings of what staff look at. */
export function openReporter(options: { dsn: string }): Reporter {
  init({
    dsn: options.dsn,
    transport: makeMaskedTransport,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpBodies: [],
      urlQueryParams: false,
      httpHeaders: { request: { allow: ['user-agent'] }, response: false },
    },
    // Listed one by one, to leave out the window and console integrations, as in the payer's app.
    defaultIntegrations: false,
    integrations: [
      functionToStringIntegration(),
      eventFiltersIntegration(),
      linkedErrorsIntegration(),
      httpContextIntegration(),
    ],
  });
  return reporterOf({ captureException, captureMessage, setUser });
}
