import { createHash } from 'node:crypto';
import type { PageSettings } from '@brightpane/contract/page-settings';

const REPORTS_PATH = '/api/browser-reports';
const REPORTS_GROUP = 'browser-reports';

/**
 * The headers of a page that hold it to its policy. What the policy stops is reported: by `report-to` where there is TLS,
 * which browsers ask for and then prefer it; otherwise by the older `report-uri` alone.
 */
export function policyHeaders(
  html: string,
  settings: PageSettings,
  publicUrl: string,
): Record<string, string> {
  const policy = `${contentSecurityPolicy(html, settings)}; report-uri ${REPORTS_PATH}`;
  if (!publicUrl.startsWith('https:')) return { 'content-security-policy': policy };
  return {
    'content-security-policy': `${policy}; report-to ${REPORTS_GROUP}`,
    'reporting-endpoints': `${REPORTS_GROUP}="${REPORTS_PATH}"`,
  };
}

const SCRIPT = /<script([^>]*)>([\s\S]*?)<\/script>/g;

/** The inline scripts of a built page, as the hashes that let exactly these run. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(SCRIPT)]
    .filter(([, attributes = '']) => !/\bsrc=/.test(attributes) && !attributes.includes('application/json'))
    .map(([, , script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** The strict policy of a page: our own scripts, the card provider's one script and its frame, the error reporter, no more. */
export function contentSecurityPolicy(html: string, settings: PageSettings): string {
  const { origin: cardProvider, pathname: cardScript } = new URL(settings.payJsUrl);
  const reporter = settings.sentryDsn ? [new URL(settings.sentryDsn).origin] : [];
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", cardProvider + cardScript, ...inlineScriptHashes(html)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...reporter],
    'frame-src': [cardProvider],
    // Session replay, too, does without: it compresses where it is sent.
    'worker-src': ["'none'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}
