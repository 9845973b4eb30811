import type { OfficePageSettings, PageSettings } from '@brightpane/contract/page-settings';
import type { Env } from '../env.ts';

/** The settings that go into the pages, and so to everybody. */
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

/** The settings that go into the console's page. */
export function officePageSettings(env: Env): OfficePageSettings {
  return {
    apiBase: '/api',
    officeUrl: env.OFFICE_URL,
    sentryDsn: env.SENTRY_DSN ?? null,
    isDemo: env.NODE_ENV === 'development',
  };
}

/** The settings as the text of a script element, which nothing in them can end. */
export function settingsText(settings: object): string {
  return JSON.stringify(settings).replaceAll('<', '\\u003c');
}
