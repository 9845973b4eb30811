import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { rememberScannedNumbers } from '../scanned-numbers.ts';
import { isLoggedIn } from './session.ts';

/**
 * Redirects a signed-in person from a prerendered page. Hydration doesn't navigate, so the layout's guard doesn't run.
 * A `clientLoader` on hydration would run it, but would also remount the page when it ends and lose what somebody
 * has typed meanwhile.
 */
export function useArrivalGuard(target: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isLoggedIn()) return;
    rememberScannedNumbers(window.location.search);
    void navigate(target, { replace: true });
  }, [navigate, target]);
}
