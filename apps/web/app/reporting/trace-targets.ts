/**
 * The URLs that receive trace headers: only this deployment's own API. Matches the whole host, so that
 * `pay.example.com` doesn't match `pay.example.com.elsewhere.net`.
 */
export function traceTargets(ownHost: string): RegExp[] {
  return [new RegExp(`^https?://${escaped(ownHost)}/api/`, 'i')];
}

/** A host has letters, digits, hyphens, dots, brackets and colons; only dots and brackets need escaping. */
function escaped(host: string): string {
  return host.replace(/[.[\]]/g, '\\$&');
}
