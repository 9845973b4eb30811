import type { Lockfile, Manifest } from './lockfile.ts';

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** Our packages must name exact versions, and the lockfile must have exactly those. */
export function checkPins(
  lockfile: Lockfile,
  manifests: readonly { folder: string; manifest: Manifest }[],
): string[] {
  return manifests.flatMap(({ folder, manifest }) => {
    const wanted = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    };
    return Object.entries(wanted).flatMap(([name, version]) => {
      const where = `${name} in ${folder || 'the root'}`;
      if (!EXACT.test(version)) return [`${where} is not pinned: ${version}`];
      const nested = lockfile.packages[`${folder}/node_modules/${name}`];
      const locked = nested ?? lockfile.packages[`node_modules/${name}`];
      if (locked?.link) return [];
      return locked?.version === version ? [] : [`${where} is locked at ${locked?.version ?? 'nothing'}`];
    });
  });
}
