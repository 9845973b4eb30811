import { foreignPackages, type Lockfile } from './lockfile.ts';

/** Licenses that allow building and selling a closed product. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Licenses that somebody reviewed, with the reason why the package may stay. */
const DECIDED: Record<string, { license: string; reason: string }> = {
  'caniuse-lite': {
    license: 'CC-BY-4.0',
    reason: 'a table of browsers that builds use; nothing of it ships',
  },
  'png-js': { license: 'none named', reason: 'its LICENSE file is the MIT license' },
  sentry: {
    license: 'FSL-1.1-Apache-2.0',
    reason: 'a command-line tool that comes with the reporting SDK; it is neither run nor shipped',
  },
};

const isAllowed = (license: string) => {
  const bare = license.replace(/[()]/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some((each) => ALLOWED.has(each));
  return bare.split(' AND ').every((each) => ALLOWED.has(each));
};

/** Packages with a license that nobody has allowed. */
export function checkLicenses(lockfile: Lockfile): string[] {
  return foreignPackages(lockfile).flatMap(({ name, path, entry }) => {
    const license = entry.license ?? 'none named';
    if (isAllowed(license) || DECIDED[name]?.license === license) return [];
    return [`${path} has the license ${license}`];
  });
}

/** The number of packages under each license. */
export function countLicenses(lockfile: Lockfile): [license: string, packages: number][] {
  const counts = new Map<string, number>();
  for (const { entry } of foreignPackages(lockfile)) {
    const license = entry.license ?? 'none named';
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
