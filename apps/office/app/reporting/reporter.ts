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

/** Opens error reporting for the console: errors alone, no traces and no recordings of what staff look at. */
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
    // Named one by one: the watchers of window and console are not among them, as in the payer's app.
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
