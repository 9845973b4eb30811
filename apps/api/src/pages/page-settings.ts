import type { OfficePageSettings, PageSettings } from '@brightpane/contract/page-settings';
import type { Env } from '../env.ts';

/** Settings embedded in the pages, and so public. */
export function pageSettings(env: Env): PageSettings {
  const [apiSecret = ''] = env.API_SECRET;
  return {
    apiSecret,
    defaultPublicKey: env.USAEPAY_PUBLIC_KEY,
    payJsUrl: env.USAEPAY_PAYJS_URL,
    sentryDsn: env.SENTRY_DSN ?? null,
    termsVersion: env.TERMS.version,
  };
}

/** Settings embedded in the console's page. */
export function officePageSettings(env: Env): OfficePageSettings {
  return {
    officeUrl: env.OFFICE_URL,
    sentryDsn: env.SENTRY_DSN ?? null,
    isDemo: env.NODE_ENV === 'development',
  };
}

/** The settings as a script element's text, escaped so that nothing in them can end the element. */
export function settingsText(settings: object): string {
  return JSON.stringify(settings).replaceAll('<', '\\u003c');
}
