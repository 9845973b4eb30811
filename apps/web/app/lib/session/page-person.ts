import { isLoggedIn, sessionUserId, userIdOf } from './session.ts';

/**
 * Whose screens this page shows: whoever made its first protected call. Kept in memory only. All tabs share the stored
 * session, so another tab may have replaced it without this one having heard of it.
 */
let person: string | null = null;

/** Whether a protected call may go out with this token: nobody acts from the screen of somebody else. */
export function isOfPagesPerson(accessToken: string): boolean {
  const userId = userIdOf(accessToken);
  if (userId === null) return true;
  person ??= userId;
  return userId === person;
}

/** Nobody's screens are shown any more: whoever signs in next starts anew. */
export function forgetPagesPerson(): void {
  person = null;
}

/** In the signed-in area: the person has just logged out, or somebody else has signed in, here or in another tab. */
export function hasPersonGone(): boolean {
  return !isLoggedIn() || (person !== null && (sessionUserId() ?? person) !== person);
}
