import { foreignPackages, type Lockfile } from './lockfile.ts';

/** Licences under which a closed product may be built and sold. */
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

/** What somebody has looked at, with the reason why it may stay. */
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

/** Packages whose licence nobody has allowed. */
export function checkLicences(lockfile: Lockfile): string[] {
  return foreignPackages(lockfile).flatMap(({ name, path, entry }) => {
    const licence = entry.license ?? 'none named';
    if (isAllowed(licence) || DECIDED[name]?.licence === licence) return [];
    return [`${path} has the licence ${licence}`];
  });
}

/** How many packages are under each licence. */
export function countLicences(lockfile: Lockfile): [licence: string, packages: number][] {
  const counts = new Map<string, number>();
  for (const { entry } of foreignPackages(lockfile)) {
    const licence = entry.license ?? 'none named';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
