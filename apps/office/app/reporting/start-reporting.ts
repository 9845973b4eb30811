import { connectReporter } from '@brightpane/ui/reporting/telemetry';
import { env } from '../lib/env.ts';

/** Loads error reporting where the deployment has it, once the page is rendered. Earlier reports wait for it. */
export function startReporting(): void {
  const { sentryDsn } = env;
  if (sentryDsn === null) return;
  const connect = async () => {
    const reporter = await import('./reporter.ts').catch(() => null);
    if (reporter) connectReporter(reporter.openReporter({ dsn: sentryDsn }));
  };
  if (document.readyState === 'complete') void connect();
  else window.addEventListener('load', () => void connect(), { once: true });
}
