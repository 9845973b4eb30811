/**
 * The addresses that are told which trace a call belongs to: this deployment's own API, and nobody else. The host is
 * taken whole, so that `pay.example.com` does not stand for `pay.example.com.elsewhere.net`.
 */
export function traceTargets(ownHost: string): RegExp[] {
  return [new RegExp(`^https?://${escaped(ownHost)}/api/`, 'i')];
}

/** Hosts hold letters, digits, hyphens, dots, and brackets and colons of addresses and ports. */
function escaped(host: string): string {
  return host.replace(/[.[\]]/g, '\\$&');
}
