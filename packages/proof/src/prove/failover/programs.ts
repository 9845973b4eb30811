import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import { isThere } from './network.ts';

/** Debian installs these outside of the usual PATH. */
process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Without python3-idna, Patroni makes no TLS connections on a machine that has python3-openssl. */
const INSTALL = 'apt-get install patroni python3-idna etcd-server haproxy postgresql';

/** What has to be installed before a cluster can start, in one line; `null` if nothing. */
export function missingPrograms(): string | null {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((program) => !isThere(program));
  if (findPostgresFolder() === null) missing.push('postgresql');
  return missing.length === 0 ? null : `${missing.join(', ')} not found: ${INSTALL}`;
}

/** The programs of the newest Postgres that Debian has installed. */
export function findPostgresFolder(): string | null {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse();
  return newest !== undefined && existsSync(newest) ? dirname(newest) : null;
}
