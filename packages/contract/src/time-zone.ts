/**
 * Whether a name is an IANA time zone that JavaScript and Postgres read alike. An offset such as `+05:00` isn't one: it
 * has no daylight saving time. Nor is a name without a place, such as `CET` or `PST`: Postgres looks it up among its
 * abbreviations first, which have one offset all year.
 */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Za-z_]+\//.test(name)) return false;
  if (ONLY_IN_JAVASCRIPT.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const ONLY_IN_JAVASCRIPT = /^(SystemV\/|US\/Pacific-New$)/i;
