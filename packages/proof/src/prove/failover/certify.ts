import { execFileSync } from 'node:child_process';
import { chown, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresAccount } from '../../../../../tools/machine/postgres-account.ts';
import { root } from '../../../../../tools/root.ts';

/** Makes a machine's certificate with the script that operators are given, and puts it where the machine looks for it. */
export async function certify(options: {
  /** The folder of whoever signs. */
  authority: string;
  name: string;
  addresses: string[];
  into: string;
  account?: PostgresAccount;
}): Promise<void> {
  const { authority, name, addresses, into, account } = options;
  const names = addresses.map((address) => `IP:${address}`).join(',');
  execFileSync(join(root, 'deploy/ha/make-certificate.sh'), [authority, name, names], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await mkdir(into, { recursive: true });
  await copyFile(join(authority, 'ca.crt'), join(into, 'ca.crt'));
  for (const file of ['server.crt', 'server.key']) {
    await copyFile(join(authority, name, file), join(into, file));
  }
  if (!account) return;
  for (const path of [into, ...['ca.crt', 'server.crt', 'server.key'].map((file) => join(into, file))]) {
    await chown(path, account.uid, account.gid);
  }
}
