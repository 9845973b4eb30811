import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import { type MiddlewareFunction, redirect } from 'react-router';
import { isLoggedIn } from './session.ts';

/** Sign-in, registration and recovery: signed-in people are sent away. */
export const anonymousOnly: MiddlewareFunction = ({ request }) => {
  const { email } = readMailLink();
  const isRefused = isLoggedIn();
  refusedLink = isRefused && email !== null ? { email, screen: new URL(request.url).pathname } : null;
  if (isRefused) throw redirect('/');
};

/** The mailed link that somebody signed in has opened although it is for signed-out people. */
let refusedLink: { email: string; screen: string } | null = null;

/** Whom that link was mailed to. Whoever is signed in with this address needs no link but the one to a new password. */
export function findRefusedLink(ownEmail: string): string | null {
  if (refusedLink?.email === ownEmail && refusedLink.screen !== '/resetpassword') return null;
  return refusedLink?.email ?? null;
}

export function forgetRefusedLink(): void {
  refusedLink = null;
}
