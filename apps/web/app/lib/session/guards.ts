import { type MiddlewareFunction, redirect } from 'react-router';
import { rememberScannedNumbers } from '../scanned-numbers.ts';
import { rememberReturnPath } from './return-path.ts';
import { isLoggedIn } from './session.ts';
import { isShown } from './use-arrival-guard.ts';

/**
 * Guest routes: signed-in people are sent to their own invoices. What stays on the page passes, since the router asks again
 * around each call: if somebody signs in in another tab while a guest pays, its outcome is still shown.
 */
export const guestsOnly: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  if (!isLoggedIn() || isShown(pathname + search)) return;
  rememberScannedNumbers(search);
  throw redirect('/invoices');
};

/** The signed-in area. It remembers the path on every navigation, because the session may end while a page loads. */
export const signedInOnly: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  rememberReturnPath(pathname + search);
  if (!isLoggedIn()) throw redirect('/login');
};
