import { isLoggedIn, sessionUserId, userIdOf } from './session.ts';

/**
 * Whose screens this page shows: whoever made its first protected call. Kept in memory only. All tabs share the stored
 * session, so another tab may have replaced it without this one having heard of it.
 */
let person: PagesPerson = { userId: null };

/** Another object after each sign-in and log-out here, even of the same person. */
export type PagesPerson = { userId: string | null };

export const pagesPerson = () => person;

/** Whether a protected call may go out with this token: nobody acts from the screen of somebody else. */
export function isOfPagesPerson(accessToken: string): boolean {
  const userId = userIdOf(accessToken);
  if (userId === null) return true;
  person.userId ??= userId;
  return userId === person.userId;
}

/** Nobody's screens are shown any more: whoever signs in next starts anew. */
export function forgetPagesPerson(): void {
  person = { userId: null };
}

/** In the signed-in area: the person has just logged out, or somebody else has signed in, here or in another tab. */
export function hasPersonGone(): boolean {
  const { userId } = person;
  return !isLoggedIn() || (userId !== null && (sessionUserId() ?? userId) !== userId);
}
