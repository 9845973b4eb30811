import { countStartsOn } from '@brightpane/ui/page/start/page-starts';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { rememberScannedNumbers } from '../scanned-numbers.ts';
import { isLoggedIn } from './session.ts';

/**
 * Redirects a signed-in person from a prerendered page: hydration doesn't navigate, so the layout's guard doesn't run. And
 * from a page that a link led to again, which the guard lets pass. A `clientLoader` on hydration would run the guard, but
 * would also remount the page when it ends and lose what somebody has typed meanwhile.
 */
export function useArrivalGuard(target: string): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each history entry, as a link to the shown page passes.
  useEffect(() => {
    const { pathname, search } = window.location;
    shown = pathname + search;
    if (isLoggedIn()) {
      rememberScannedNumbers(search);
      countStartsOn();
      void navigate(target, { replace: true });
    }
    return () => {
      shown = null;
    };
  }, [navigate, target, key]);
}

/** The page that is shown, if it has an arrival guard. On Back, the address is ahead of it. */
let shown: string | null = null;

/** Whether the page with this path and query is the one that is shown: what goes there stays. */
export function isShown(page: string): boolean {
  return page === shown;
}
