/** The header that names what the person was shown. An instance from before an update has sent no version. */
export const seenVersion = (version: number | string | undefined): Record<string, string> =>
  version === undefined || version === '' ? {} : { 'If-Match': `"${version}"` };
