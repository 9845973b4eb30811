import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type ModuleGraph = Rolldown.ChunkingContext;

/** Where the scripts of the entry page begin. */
const ENTRY_PAGE = /[\\/]app[\\/](entry\.client|root|routes[\\/]guest[\\/](layout|landing))\.tsx/;

/** What the entry page and others may share. */
const OURS = /[\\/](app[\\/](ui|lib|features)|packages)[\\/]/;

/** What any two pages may share. */
const COMMON = /[\\/](app[\\/](ui|lib)|packages)[\\/]/;

/** What the guest's payment shares with the dashboard, and a part of it with the forms for a location and a card. */
const GUEST_PAYMENT = /[\\/]features[\\/](card-entry|invoice-search|invoices|payments)[\\/]/;

/**
 * What pages share, in a few files. Left alone, the bundler makes a file of each set of modules that the same pages use:
 * dozens of a few hundred bytes, each with a request, a line in every page's import map, and a dictionary of its own.
 */
export const chunkGroups: Group[] = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
  {
    name: (id, graph) => (isOfEntryPage(id, graph) ? 'entry' : null),
    test: OURS,
    minShareCount: 2,
    priority: 2,
  },
  { name: 'common', test: COMMON, minShareCount: 2, priority: 1 },
  { name: 'invoices', test: GUEST_PAYMENT, minShareCount: 2, priority: 1 },
  { name: (id) => /[\\/]features[\\/]([\w-]+)/.exec(id)?.[1], minShareCount: 2 },
];

function isOfEntryPage(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  // Two modules that import each other would ask about each other for ever.
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return ENTRY_PAGE.test(id) || importers.some((importer) => isOfEntryPage(importer, graph, seen));
}
