import type { PageSettings } from '@brightpane/contract/page-settings';

const DEVELOPMENT: PageSettings = {
  apiSecret: 'dev-api-secret',
  defaultPublicKey: '',
  payJsUrl: 'http://localhost:3001/js/v2/pay.js',
  sentryDsn: null,
  termsVersion: '',
};

/** Read once at load: the element may be gone after React has rendered the whole document again. */
export const env: PageSettings = readSettings(
  typeof document === 'undefined' ? null : document.getElementById('settings')?.textContent,
);

/** The settings in the page's block; missing ones default to development. */
export function readSettings(text: string | null | undefined): PageSettings {
  return { ...DEVELOPMENT, ...(text ? (JSON.parse(text) as Partial<PageSettings>) : {}) };
}
