/**
 * What a history entry says of an invoice's code that a signed-in person came by: its query, and whose it is, since the
 * next person at this browser may go back to the entry.
 */
export type ScannedState = { scanned: { userId: string; search: string } };

/** The code's query, for its own person only. */
export function readScanned(state: unknown, userId: string): string | null {
  const scanned = (state as Partial<ScannedState> | null)?.scanned;
  return scanned?.userId === userId ? scanned.search : null;
}
