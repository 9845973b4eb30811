import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type ModuleGraph = Rolldown.ChunkingContext;

/** The modules that the entry page starts from. */
const ENTRY_PAGE = /[\\/]app[\\/](entry\.client|root|routes[\\/]guest[\\/](layout|landing))\.tsx/;

/** What the entry page may share with others. */
const OURS = /[\\/](app[\\/](ui|lib|features)|packages)[\\/]/;

/** What any two pages may share. */
const COMMON = /[\\/](app[\\/](ui|lib)|packages)[\\/]/;

/** Shared by the guest's payment and the dashboard, and partly by the location and card forms. */
const GUEST_PAYMENT = /[\\/]features[\\/](card-entry|invoice-search|invoices|payments)[\\/]/;

/**
 * Groups shared modules into a few files. By default the bundler makes one file per set of modules used by the same
 * pages: dozens of a few hundred bytes, each with a request, an import map line and a compression dictionary of its own.
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
  // Stops at import cycles.
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return ENTRY_PAGE.test(id) || importers.some((importer) => isOfEntryPage(importer, graph, seen));
}
