import { forgetMailLink } from '@brightpane/ui/mail-link/mail-link';
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { startOver } from '../../lib/api-client.ts';
import { forgetMadeAccount } from '../../lib/session/made-account.ts';
import { forgetPaidState } from '../../lib/session/paid-state.ts';
import { isLoggedIn, sessionUserId } from '../../lib/session/session.ts';

/**
 * Runs the guard again when the session may have ended unnoticed: in another tab, or while the browser kept the
 * page in its back-forward cache. If somebody else has signed in since, nothing of this person's page may stay: it
 * would call the server as the other one.
 */
export function useSessionEnd(userId: string): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = () => {
      const isLoggedOut = !isLoggedIn();
      if (!isLoggedOut && (sessionUserId() ?? userId) === userId) return;
      // Log out forgets these in its own tab.
      forgetPaidState();
      forgetMadeAccount();
      forgetMailLink();
      if (isLoggedOut) void revalidate();
      else void startOver();
    };
    window.addEventListener('storage', look);
    window.addEventListener('pageshow', look);
    // It may have ended since the guard asked, before anybody listened.
    look();
    return () => {
      window.removeEventListener('storage', look);
      window.removeEventListener('pageshow', look);
    };
  }, [revalidate, userId]);
}
