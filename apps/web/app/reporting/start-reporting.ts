import { connectReporter } from '@brightpane/ui/reporting/telemetry';
import { env } from '../lib/env.ts';

const LONGEST_WAIT_MILLISECONDS = 3_000;

/**
 * Loads error reporting where the deployment has it, once the page is interactive and the browser idle. Earlier
 * reports wait in `ui/reporting/telemetry`. If the reporter fails to load, the portal works without it.
 */
export function startReporting(): void {
  const { sentryDsn } = env;
  if (sentryDsn === null) return;
  const start = () => whenIdle(() => void connect(sentryDsn));
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}

async function connect(dsn: string): Promise<void> {
  const reporter = await import('./reporter.ts').catch(() => null);
  if (reporter) connectReporter(reporter.openReporter({ dsn }));
}

function whenIdle(work: () => void): void {
  // Safari has no idle callbacks.
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: LONGEST_WAIT_MILLISECONDS });
  else setTimeout(work, 1);
}
