import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;

/** What the screens about money that goes back share: the first screens do without it. */
const REFUND = /[\\/](ui[\\/]refund[\\/]|spread-refund|refund-reasons|radio-list)/;

/** What every screen of the console shows and does. */
const COMMON = /[\\/](apps[\\/]office[\\/]app[\\/](ui|lib)|packages)[\\/]/;

/**
 * What screens share, in a few files. The scripts of a passkey are loaded on first use and stay by themselves; what one
 * screen alone needs stays with it.
 */
export const chunkGroups: Group[] = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
  // Before the rest, and with what it is made of: so that only what is of refunds alone is left for theirs.
  { name: 'common', test: (id) => COMMON.test(id) && !REFUND.test(id), minShareCount: 2, priority: 2 },
  { name: 'refund', test: REFUND, minShareCount: 2, priority: 1 },
  { name: (id) => /[\\/]features[\\/]([\w-]+)/.exec(id)?.[1], minShareCount: 2 },
];
