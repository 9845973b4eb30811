/** Why a file doesn't open, and what to do. `what` completes "Unable to open …". */
export function unableToOpen(what: string): string {
  return isOffline()
    ? `Unable to open ${what}: you are offline. Connect to the internet, then try again.`
    : `Unable to open ${what}. Load the page again, then try again.`;
}

/** Whether the browser knows that it has no network. Following a link would then replace the page with its error. */
export function isOffline(): boolean {
  return !window.navigator.onLine;
}
