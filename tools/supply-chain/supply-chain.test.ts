import { describe, expect, test } from 'vitest';
import { readAudit } from './advisories.ts';
import { checkLicenses } from './check-licenses.ts';
import { checkLockfile } from './check-lockfile.ts';
import { checkPins } from './check-pins.ts';
import { type LockedPackage, type Lockfile, ownFolders, readLockfile, readManifest } from './lockfile.ts';

const lockfile = readLockfile();
const manifests = ownFolders(lockfile).map((folder) => ({ folder, manifest: readManifest(folder) }));

const planted = (entry: LockedPackage, name = 'left-pad'): Lockfile => ({
  ...lockfile,
  packages: {
    ...lockfile.packages,
    [`node_modules/${name}`]: {
      version: '1.0.0',
      license: 'MIT',
      integrity: `sha512-${'A'.repeat(86)}==`,
      ...entry,
    },
  },
});

test('every locked package is pinned, digested, from the public registry, and under an allowed license', () => {
  expect(checkLockfile(lockfile, readManifest())).toEqual([]);
  expect(checkPins(lockfile, manifests)).toEqual([]);
  expect(checkLicenses(lockfile)).toEqual([]);
});

describe('a planted package is noticed', () => {
  test.each<[string, LockedPackage]>([
    ['from another host', { resolved: 'https://registry.example.com/left-pad/-/left-pad-1.0.0.tgz' }],
    ['from a host that looks alike', { resolved: 'https://registry.npmjs.org.example.com/left-pad/-/l.tgz' }],
    ['without TLS', { resolved: 'http://registry.npmjs.org/left-pad/-/left-pad-1.0.0.tgz' }],
    ['that is another one', { resolved: 'https://registry.npmjs.org/leftpad/-/leftpad-1.0.0.tgz' }],
    ['from a repository', { resolved: 'git+ssh://git@github.com/left/pad.git#abc' }],
    ['with a weak digest', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['with a script', { hasInstallScript: true }],
  ])('%s', (_what, entry) => {
    expect(checkLockfile(planted(entry), readManifest())).toHaveLength(1);
  });

  test('without a digest', () => {
    const { integrity: _gone, ...entry } = planted({}).packages['node_modules/left-pad'] ?? {};
    const without = { ...lockfile, packages: { 'node_modules/left-pad': entry } };
    expect(checkLockfile(without, readManifest())).toHaveLength(1);
  });

  test.each(['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-2.0', 'SEE LICENSE IN LICENSE', 'UNLICENSED'])(
    'under %s',
    (license) => {
      expect(checkLicenses(planted({ license }))).toHaveLength(1);
    },
  );

  test('under no license, or under a new one of a package that was allowed by name', () => {
    const { license: _gone, ...entry } = planted({}).packages['node_modules/left-pad'] ?? {};
    expect(checkLicenses({ ...lockfile, packages: { 'node_modules/left-pad': entry } })).toHaveLength(1);
    expect(checkLicenses(planted({ license: 'GPL-3.0' }, 'png-js'))).toHaveLength(1);
  });

  test.each(['^1.0.0', '~1.0.0', '*', 'latest', '1.x', 'https://example.com/left-pad.tgz', '1.0.1'])(
    'wanted as %s',
    (version) => {
      const manifest = { dependencies: { 'left-pad': version } };
      expect(checkPins(planted({}), [{ folder: '', manifest }])).toHaveLength(1);
    },
  );
});

describe('what a registry says about known weaknesses', () => {
  test('counts from high on', () => {
    const vulnerabilities = {
      one: { severity: 'critical', range: '<2' },
      two: { severity: 'high', range: '*' },
      three: { severity: 'moderate', range: '*' },
    };
    expect(readAudit(JSON.stringify({ vulnerabilities }))).toEqual({
      isAnswered: true,
      found: ['one <2: critical', 'two *: high'],
    });
  });

  test.each(['', 'not json', '{"message":"405 Method Not Allowed"}'])('%j is no answer', (answer) => {
    expect(readAudit(answer)).toMatchObject({ isAnswered: false });
  });
});
