import type { OfficePageSettings } from '@brightpane/contract/page-settings';

const DEVELOPMENT: OfficePageSettings = { officeUrl: '', sentryDsn: null, isDemo: false };

/** Read once at load: the element may be gone after React has rendered the whole document again. */
export const env: OfficePageSettings = readSettings(
  typeof document === 'undefined' ? null : document.getElementById('settings')?.textContent,
);

/** The settings in the page's block; missing ones default to development. */
export function readSettings(text: string | null | undefined): OfficePageSettings {
  return { ...DEVELOPMENT, ...(text ? (JSON.parse(text) as Partial<OfficePageSettings>) : {}) };
}
