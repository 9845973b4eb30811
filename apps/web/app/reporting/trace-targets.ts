/**
 * The addresses that are told which trace a call belongs to: the API of this origin and of the hosts that the
 * deployment lists, each whole, so that `pay.example.com` does not stand for `pay.example.com.elsewhere.net`.
 */
export function traceTargets(hosts: string[], ownHost: string): RegExp[] {
  return [...new Set([ownHost, ...hosts])].map((host) => new RegExp(`^https?://${escaped(host)}/api/`, 'i'));
}

/** Hosts hold letters, digits, hyphens, dots, and brackets and colons of addresses and ports. */
function escaped(host: string): string {
  return host.replace(/[.[\]]/g, '\\$&');
}
