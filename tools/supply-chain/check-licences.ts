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
]);

/** Licenses that somebody reviewed, with the reason why the package may stay. */
const DECIDED: Record<string, { licence: string; reason: string }> = {
  'caniuse-lite': {
    licence: 'CC-BY-4.0',
    reason: 'a table of browsers that builds use; nothing of it ships',
  },
  'png-js': { licence: 'none named', reason: 'its LICENSE file is the MIT licence' },
  sentry: {
    licence: 'FSL-1.1-Apache-2.0',
    reason: 'a command-line tool that comes with the reporting SDK; it is neither run nor shipped',
  },
};

const isAllowed = (licence: string) => {
  const bare = licence.replace(/[()]/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some((each) => ALLOWED.has(each));
  return bare.split(' AND ').every((each) => ALLOWED.has(each));
};

/** Packages with a license that nobody has allowed. */
export function checkLicences(lockfile: Lockfile): string[] {
  return foreignPackages(lockfile).flatMap(({ name, path, entry }) => {
    const licence = entry.license ?? 'none named';
    if (isAllowed(licence) || DECIDED[name]?.licence === licence) return [];
    return [`${path} has the licence ${licence}`];
  });
}

/** The number of packages under each license. */
export function countLicences(lockfile: Lockfile): [licence: string, packages: number][] {
  const counts = new Map<string, number>();
  for (const { entry } of foreignPackages(lockfile)) {
    const licence = entry.license ?? 'none named';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
