import type { Env } from '../env.ts';
import type { Reporter } from './reporter.ts';

/** The SDK is as large as the rest of the portal, so it is loaded where a deployment asks for it and nowhere else. */
export async function openReporter({ SENTRY_DSN }: Pick<Env, 'SENTRY_DSN'>): Promise<Reporter> {
  if (SENTRY_DSN === undefined) return SILENT;
  const { openSentryReporter } = await import('./sentry-reporter.ts');
  return openSentryReporter(SENTRY_DSN);
}

const SILENT: Reporter = {
  takeLine: () => {},
  trace: (_step, work) => work(),
  beginRequest: () => {},
  enterRequest: (_request, next) => next(),
  isSilent: () => false,
  close: async () => {},
};
