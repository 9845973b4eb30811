import { createHash } from 'node:crypto';
import type { OfficePageSettings, PageSettings } from '@brightpane/contract/page-settings';

const REPORTS_PATH = '/api/browser-reports';
const REPORTS_GROUP = 'browser-reports';

/**
 * The headers that enforce a page's policy and report violations: with TLS by `report-to`, which browsers then prefer,
 * otherwise only by the older `report-uri`.
 */
export function policyHeaders(contentPolicy: string, origin: string): Record<string, string> {
  const policy = `${contentPolicy}; report-uri ${REPORTS_PATH}`;
  if (!origin.startsWith('https:')) return { 'content-security-policy': policy };
  return {
    'content-security-policy': `${policy}; report-to ${REPORTS_GROUP}`,
    'reporting-endpoints': `${REPORTS_GROUP}="${REPORTS_PATH}"`,
  };
}

const SCRIPT = /<script([^>]*)>([\s\S]*?)<\/script>/g;

/** Hashes of a built page's inline scripts, which allow exactly these to run. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(SCRIPT)]
    .filter(([, attributes = '']) => !/\bsrc=/.test(attributes) && !attributes.includes('application/json'))
    .map(([, , script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/**
 * The strict policy of a payer's page: our own scripts, the card provider's one script and its
 * frame, and the error reporter.
 */
export function pagePolicy(html: string, settings: PageSettings): string {
  const { origin: cardProvider, pathname: cardScript } = new URL(settings.payJsUrl);
  return contentSecurityPolicy(html, {
    script: [cardProvider + cardScript],
    frame: [cardProvider],
    sentryDsn: settings.sentryDsn,
    isInstallable: true,
  });
}

/** The policy of the console's page: nothing from the card provider, and no frames. */
export function officePolicy(html: string, { sentryDsn }: Pick<OfficePageSettings, 'sentryDsn'>): string {
  return contentSecurityPolicy(html, { script: [], frame: ["'none'"], sentryDsn });
}

function contentSecurityPolicy(
  html: string,
  allowed: { script: string[]; frame: string[]; sentryDsn: string | null; isInstallable?: boolean },
): string {
  const reporter = allowed.sentryDsn ? [new URL(allowed.sentryDsn).origin] : [];
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...allowed.script, ...inlineScriptHashes(html)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...reporter],
    'frame-src': allowed.frame,
    // Session replay needs no worker either: its transport does the compression.
    'worker-src': ["'none'"],
    ...(allowed.isInstallable && { 'manifest-src': ["'self'"] }),
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}
