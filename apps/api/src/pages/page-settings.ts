import type { PageSettings } from '@brightpane/contract/page-settings';
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

const PLACEHOLDER = '<script id="settings" type="application/json">{}</script>';

/** Puts the settings where the built page left room for them. Throws if it left none. */
export function withSettings(html: string, settings: PageSettings): string {
  if (!html.includes(PLACEHOLDER)) throw new Error('the built page has no place for its settings');
  return html.replace(PLACEHOLDER, () => PLACEHOLDER.replace('{}', () => settingsText(settings)));
}

/** The settings as the text of a script element, which nothing in them can end. */
export function settingsText(settings: PageSettings): string {
  return JSON.stringify(settings).replaceAll('<', '\\u003c');
}
