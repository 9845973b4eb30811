import { type ReactNode, use } from 'react';

const reloaded = new Promise<never>(() => {});

/**
 * Loads the document again if it was loaded for another page than the one the address names: Back may come while a page
 * reloads, before the router looks at the address, and React can't take over such a document. It looks as late as it can,
 * and until the new document is there, this one stays as it came.
 */
export function OwnPage({ children }: { children: ReactNode }) {
  if (!isOwn()) {
    window.location.reload();
    use(reloaded);
  }
  return children;
}

function isOwn(): boolean {
  const { origin, pathname } = window.location;
  const loaded = performance.getEntriesByType('navigation')[0]?.name;
  return !loaded?.startsWith(`${origin}/`) || new URL(loaded).pathname === pathname;
}
