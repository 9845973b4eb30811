/**
 * Whether the document was loaded for another page than the one the address names: Back may come while a page reloads,
 * before its scripts run. React can't take over such a document.
 */
export function isOfAnotherPage(): boolean {
  const { origin, pathname } = window.location;
  const loaded = performance.getEntriesByType('navigation')[0]?.name;
  return loaded?.startsWith(`${origin}/`) === true && new URL(loaded).pathname !== pathname;
}
