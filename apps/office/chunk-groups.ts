import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;

/** Shared by the refund screens only, so that the first screens don't load it. */
const REFUND = /[\\/](ui[\\/]refund[\\/]|spread-refund|refund-reasons|radio-list)/;

/** What every screen of the console uses. */
const COMMON = /[\\/](apps[\\/]office[\\/]app[\\/](ui|lib)|packages)[\\/]/;

/**
 * Groups shared modules into a few files. Passkey scripts load on first use and stay separate, as does whatever only one
 * screen needs.
 */
export const chunkGroups: Group[] = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
  // Comes first and takes its dependencies along, so that the refund group keeps only what refunds alone use.
  { name: 'common', test: (id) => COMMON.test(id) && !REFUND.test(id), minShareCount: 2, priority: 2 },
  { name: 'refund', test: REFUND, minShareCount: 2, priority: 1 },
  { name: (id) => /[\\/]features[\\/]([\w-]+)/.exec(id)?.[1], minShareCount: 2 },
];
