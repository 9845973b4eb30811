import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { isLoggedIn } from '../../lib/session/session.ts';

/**
 * Runs the guard again when the session may have ended unnoticed: in another tab, or while the browser kept the
 * page in its back-forward cache.
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
