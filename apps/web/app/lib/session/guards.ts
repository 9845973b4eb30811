import { type MiddlewareFunction, redirect } from 'react-router';
import { rememberScannedNumbers } from '../scanned-numbers.ts';
import { rememberReturnPath } from './return-path.ts';
import { isLoggedIn } from './session.ts';

/** Guest routes: signed-in people are sent to their own invoices. */
export const guestsOnly: MiddlewareFunction = ({ request }) => {
  if (!isLoggedIn()) return;
  rememberScannedNumbers(new URL(request.url).search);
  throw redirect('/invoices');
};

/** Sign-in, registration and recovery. */
export const anonymousOnly: MiddlewareFunction = () => {
  if (isLoggedIn()) throw redirect('/');
};

/** The signed-in area. It remembers the path on every navigation, because the session may end while a page loads. */
export const signedInOnly: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  rememberReturnPath(pathname + search);
  if (!isLoggedIn()) throw redirect('/login');
};
