let person: string | null = null;

/**
 * Whose screens this page shows, so that nobody else acts from them: all tabs share one cookie, and another person may
 * have signed in in another tab. Null until the person is loaded.
 */
export const pagesPerson = (): string | null => person;

/**
 * For the frame's loader. It lasts as long as the page: signing out loads a new one. An instance from before an update
 * doesn't say who it is.
 */
export function showPagesOf(staffId: string | undefined): void {
  person = staffId ?? null;
}
