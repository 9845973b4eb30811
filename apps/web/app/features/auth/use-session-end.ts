import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { isLoggedIn } from '../../lib/session/session.ts';

/**
 * Asks the guard again when the session may have ended out of this page's sight: in another tab, or while the browser
 * kept the page for the way back.
 */
export function useSessionEnd(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = () => {
      if (!isLoggedIn()) void revalidate();
    };
    window.addEventListener('storage', look);
    window.addEventListener('pageshow', look);
    return () => {
      window.removeEventListener('storage', look);
      window.removeEventListener('pageshow', look);
    };
  }, [revalidate]);
}
