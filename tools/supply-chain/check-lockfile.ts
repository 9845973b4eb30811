import { foreignPackages, type Lockfile, type Manifest } from './lockfile.ts';

const REGISTRY = 'https://registry.npmjs.org/';
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Faults in the lockfile: sources other than the public registry, missing digests, unapproved install scripts. */
export function checkLockfile(lockfile: Lockfile, { allowScripts = {} }: Manifest): string[] {
  const faults = lockfile.lockfileVersion === 3 ? [] : ['the lockfile has another version than 3'];
  for (const { name, path, entry } of foreignPackages(lockfile)) {
    if (!SHA512.test(entry.integrity ?? '')) faults.push(`${path} has no SHA-512 digest`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith(`${REGISTRY}${name}/-/`)) {
      faults.push(`${path} comes from ${entry.resolved}`);
    }
    if (entry.hasInstallScript && allowScripts[name] === undefined) {
      faults.push(`${path} wants to run a script when it is installed, which nobody has decided about`);
    }
  }
  return faults;
}
