import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;

/** What every screen of the console shows and does. */
const COMMON = /[\\/](apps[\\/]office[\\/]app[\\/](ui|lib)|packages)[\\/]/;

/**
 * What screens share, in a few files. The scripts of a passkey are loaded on first use and stay by themselves; what one
 * screen alone needs stays with it.
 */
export const chunkGroups: Group[] = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
  { name: 'common', test: COMMON, minShareCount: 2, priority: 1 },
  { name: (id) => /[\\/]features[\\/]([\w-]+)/.exec(id)?.[1], minShareCount: 2 },
];
