const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
const CHECKED_MODES = ['require', 'verify-ca', 'verify-full'];

/** Whether a host is this machine. */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host);
}

/** Whether mail could leave this machine without TLS, or for a server whose certificate isn't checked. */
export function isPlainMail(value: string): boolean {
  const { protocol, hostname, searchParams } = new URL(value);
  if (isThisMachine(hostname)) return false;
  if (searchParams.get('tls.rejectUnauthorized') === 'false') return true;
  if (protocol === 'smtps:') return false;
  const requires = ['true', '1'].includes(searchParams.get('requireTLS') ?? '');
  return protocol !== 'smtp:' || !requires || searchParams.get('ignoreTLS') === 'true';
}

// The driver also accepts a socket's folder, and URLs without a host.
const isSocket = (value: string) => value.startsWith('/') || value.startsWith('socket:');
const parseDatabase = (value: string) => URL.parse(value) ?? URL.parse(value.replace('@/', '@localhost/'));

/**
 * Whether the driver reads a database's URL as it was meant. A `#`, `/` or `?` in a password ends the host before its @: then
 * nothing can be parsed, or the user's name is taken for the host and the rest of the password for something else.
 */
export function isDatabaseUrl(value: string): boolean {
  if (isSocket(value)) return true;
  const url = parseDatabase(value);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  const [firstParameter = ''] = url.search.split('=');
  return url.hash === '' && !url.pathname.includes('@') && !firstParameter.includes('@');
}

/** Whether the database could be reached over a network without TLS, or without checking its certificate. */
export function isPlainDatabase(value: string): boolean {
  if (isSocket(value)) return false;
  const url = parseDatabase(value);
  if (!url) return true;
  const { searchParams } = url;
  const host = searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const mode = searchParams.get('sslmode');
  // Whoever encrypts a connection to this machine has a proxy there, which leads to another.
  if (mode === 'no-verify') return true;
  if (host === '' || host.startsWith('/') || isThisMachine(host)) return false;
  // As in libpq, `require` then checks nothing.
  if (mode === 'require' && searchParams.get('uselibpqcompat') === 'true') return true;
  if (mode !== null) return !CHECKED_MODES.includes(mode);
  return !['true', '1'].includes(searchParams.get('ssl') ?? '');
}
