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
  return isSameScreen(performance.getEntriesByType('navigation')[0]?.name, window.location);
}

/** Whether the address that a document was loaded from, if the browser tells it, is of the screen at `location`. */
export function isSameScreen(
  loaded: string | undefined,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'>,
): boolean {
  return !loaded?.startsWith(`${origin}/`) || decoded(new URL(loaded).pathname) === decoded(pathname);
}

/** WebKit tells an address with its escapes decoded, where `location` keeps them. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
