import type { Env } from '../env.ts';
import type { Reporter } from './reporter.ts';

/** Loads the SDK only if configured, as it is as large as the rest of the portal. */
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
