import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { rememberScannedNumbers } from '../scanned-numbers.ts';
import { isLoggedIn } from './session.ts';

/**
 * Leads a signed-in person on from a prerendered page. Such a page is brought to life as it stands, without the
 * navigation that runs its layout's guard. A `clientLoader` that runs on hydration would run the guard too, but the
 * page would be built anew when it ends, and take with it what somebody has typed meanwhile.
 */
export function useArrivalGuard(target: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isLoggedIn()) return;
    rememberScannedNumbers(window.location.search);
    void navigate(target, { replace: true });
  }, [navigate, target]);
}
