import { type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';

/**
 * Why a file doesn't open, and what to do. `what` completes "Unable to open …". Never to load the page again: that
 * would lose what was typed on it.
 */
export function unableToOpen(
  what: string,
  refusal: Refusal | null,
  isWithoutNetwork: boolean = isOffline(),
): string {
  if (isWithoutNetwork) {
    return `Unable to open ${what}: you are offline. Connect to the internet, then try again.`;
  }
  return withWaitAdvice(`Unable to open ${what}. Please try again.`, refusal ?? { status: 404 });
}

/** Whether the browser knows that it has no network. Following a link would then replace the page with its error. */
export function isOffline(): boolean {
  return !window.navigator.onLine;
}
