import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

export type LockedPackage = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
};

/** The parts of `package-lock.json` that we use: every installed package by its path. */
export type Lockfile = { lockfileVersion: number; packages: Record<string, LockedPackage> };

export type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
};

export const readLockfile = () => readJson<Lockfile>('package-lock.json');
export const readManifest = (folder = '') => readJson<Manifest>(join(folder, 'package.json'));

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Content;
}

/** External packages by name. A name may occur in several versions. */
export function foreignPackages({
  packages,
}: Lockfile): { name: string; path: string; entry: LockedPackage }[] {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), path, entry }));
}

/** Our own packages' folders; the root's is ''. */
export function ownFolders({ packages }: Lockfile): string[] {
  return Object.keys(packages).filter((path) => !path.includes('node_modules/'));
}
